"""Counts done the slow way, in fractions, by following every way to break ties to its end."""

from fractions import Fraction
from functools import cache
from itertools import chain, permutations, product

import numpy as np

from simulator.profile import Profile


def random_profile(seed, *, most_items=4, most_ballots=6, ties=True):
    """Few ballots on few items, so that ties are frequent; with ties, gaps, abstentions and weights if wanted."""
    rng = np.random.default_rng(seed)
    m, n = int(rng.integers(1, most_items + 1)), int(rng.integers(1, most_ballots + 1))
    items = "abcdef"[:m]
    ballots = []
    for _ in range(n):
        order = rng.permutation(list(items)).tolist()
        if not ties:
            ballots.append(order)
            continue
        ballot = []
        for item in order[: int(rng.integers(0, m + 1))]:
            if ballot and rng.random() < 0.35:
                ballot[-1].append(item)
            else:
                ballot.append([item])
        ballots.append(ballot)
    weights = rng.choice([0, 0.5, 1, 1, 2, 3], n) if ties else np.ones(n)
    return Profile.from_rankings(ballots, weights, items=items)


def ballots_of(profile):
    """(weight, tiers of item indices) of every ballot that counts; unranked items are in no tier."""
    found = []
    for ranks, weight in zip(profile.ranks.tolist(), profile.weights.tolist(), strict=True):
        tiers = [[i for i, rank in enumerate(ranks) if rank == tier] for tier in range(profile.m)]
        tiers = [tier for tier in tiers if tier]
        if tiers and weight > 0:
            found.append((Fraction(weight), tiers))
    return found


def strict_ballots(profile):
    """The same with every ballot that has ties replaced by all its strict versions, each with an equal part."""
    found = []
    for weight, tiers in ballots_of(profile):
        versions = [list(chain.from_iterable(version)) for version in product(*map(permutations, tiers))]
        found += [(weight / len(versions), version) for version in versions]
    return found


def elimination_orders(m, next_to_go):
    """All rankings, best first, if at every step any of `next_to_go(left)` may go."""

    @cache
    def rankings(left):
        if len(left) == 1:
            return {tuple(left)}
        return {(*ranking, item) for item in next_to_go(left) for ranking in rankings(left - {item})}

    return rankings(frozenset(range(m)))


def lowest(scores):
    return [item for item, score in scores.items() if score == min(scores.values())]


def irv_orders(profile):
    ballots = strict_ballots(profile)

    def next_to_go(left):
        votes = dict.fromkeys(sorted(left), Fraction(0))
        for weight, ballot in ballots:
            best = next((item for item in ballot if item in left), None)
            if best is not None:
                votes[best] += weight
        return lowest(votes)

    return elimination_orders(profile.m, next_to_go)


def coombs_orders(profile, majority_wins=False):
    ballots = ballots_of(profile)
    total = sum(weight for weight, _ in ballots)

    def next_to_go(left):
        last, first = dict.fromkeys(sorted(left), Fraction(0)), dict.fromkeys(sorted(left), Fraction(0))
        for weight, tiers in ballots:
            unranked = set(left) - {item for tier in tiers for item in tier}
            here = [tier for tier in ([i for i in tier if i in left] for tier in tiers) if tier]
            worst = sorted(unranked) or here[-1]
            for item in worst:
                last[item] += weight / len(worst)
            for item in here[0] if here else []:
                first[item] += weight / len(here[0])
        safe = {item for item, votes in first.items() if majority_wins and votes * 2 > total}
        return lowest({item: -votes for item, votes in last.items() if item not in safe})

    return elimination_orders(profile.m, next_to_go)


def borda(profile, left):
    scores = dict.fromkeys(sorted(left), Fraction(0))
    for weight, tiers in ballots_of(profile):
        place = {item: number for number, tier in enumerate(tiers) for item in tier}
        for a in left:
            for b in left - {a}:
                at, other = place.get(a, profile.m), place.get(b, profile.m)
                scores[a] += weight * (Fraction(1) if at < other else Fraction(1, 2) if at == other else 0)
    return scores


def baldwin_orders(profile):
    return elimination_orders(profile.m, lambda left: lowest(borda(profile, left)))


def nanson_tiers(profile):
    left, tiers = frozenset(range(profile.m)), []
    while left:
        scores = borda(profile, left)
        mean = sum(scores.values()) / len(left)
        below = {item for item in left if scores[item] < mean}
        tiers.insert(0, sorted(below or left))
        left = left - below if below else frozenset()
    return tiers


def stv_orders(profile, k):
    """All rankings of the single transferable vote for k seats."""
    ballots = strict_ballots(profile)
    n = sum(weight for weight, _ in ballots)
    quota = n / (k + 1) // 1 + 1 if n >= k else Fraction(n) / k

    def votes_of(left, weights):
        votes = dict.fromkeys(sorted(left), Fraction(0))
        for (_, ballot), weight in zip(ballots, weights, strict=True):
            best = next((item for item in ballot if item in left), None)
            if best is not None:
                votes[best] += weight
        return votes

    def by_votes(votes):
        levels = sorted(set(votes.values()), reverse=True)
        groups = [[item for item, vote in votes.items() if vote == level] for level in levels]
        return [list(chain.from_iterable(way)) for way in product(*map(permutations, groups))]

    @cache
    def rankings(left, seats, weights):
        votes = votes_of(left, weights)
        if seats == 0 or len(left) <= seats:
            return {tuple(way) for way in by_votes(votes)}
        top = max(votes.values())
        if top >= quota and top > 0:
            found = set()
            for item in [item for item in left if votes[item] == top]:
                after = tuple(
                    weight * (top - quota) / top if next((i for i in ballot if i in left), None) == item else weight
                    for (_, ballot), weight in zip(ballots, weights, strict=True)
                )
                found |= {(item, *rest) for rest in rankings(left - {item}, seats - 1, after)}
            return found
        return {(*rest, item) for item in lowest(votes) for rest in rankings(left - {item}, seats, weights)}

    return rankings(frozenset(range(profile.m)), k, tuple(weight for weight, _ in ballots))


def expanding_approvals_orders(profile, k):
    """All rankings of the expanding approvals rule for k seats."""
    ballots, m = ballots_of(profile), profile.m
    n = sum(weight for weight, _ in ballots)
    share = Fraction(n) / (k + 1)
    quota = min(share + (share // 1 + 1 - share) / (m + 1), Fraction(n) / k)
    places = []
    for _, tiers in ballots:
        above, place = 0, {}
        for tier in tiers:
            place |= dict.fromkeys(tier, above + 1)
            above += len(tier)
        places.append([place.get(item, above + 1) for item in range(m)])
    vectors = [
        [sum(w for (w, _), place in zip(ballots, places, strict=True) if place[a] == j) for j in range(1, m + 1)]
        for a in range(m)
    ]

    @cache
    def rankings(elected, weights, j):
        if len(elected) == k:
            rest = [item for item in range(m) if item not in elected]
            levels = sorted({tuple(vectors[item]) for item in rest}, reverse=True)
            groups = [[item for item in rest if tuple(vectors[item]) == level] for level in levels]
            return {tuple(chain.from_iterable(way)) for way in product(*map(permutations, groups))}
        support = {
            a: sum(w for w, place in zip(weights, places, strict=True) if place[a] <= j)
            for a in range(m)
            if a not in elected
        }
        able = [a for a in support if support[a] >= quota]
        if not able:
            return rankings(elected, weights, j + 1)
        found, best = set(), max(vectors[a] for a in able)
        for a in [a for a in able if vectors[a] == best]:
            kept = (support[a] - quota) / support[a] if support[a] else 0
            after = tuple(w * kept if place[a] <= j else w for w, place in zip(weights, places, strict=True))
            found |= {(a, *rest) for rest in rankings(elected | {a}, after, j)}
        return found

    return rankings(frozenset(), tuple(weight for weight, _ in ballots), 1)


def tiers_of_orders(orders):
    """Tiers end where all rankings have the same items above."""
    first = next(iter(orders))
    tiers, start = [], 0
    for size in range(1, len(first) + 1):
        if len({frozenset(order[:size]) for order in orders}) == 1:
            tiers.append(sorted(first[start:size]))
            start = size
    return tiers


def agrees(outcome, orders):
    """Whether an outcome lists what all these rankings come to."""
    assert outcome.complete
    assert outcome.order in orders
    assert sorted(outcome.winners) == sorted(outcome.items[item] for item in {order[0] for order in orders})
    slates = {tuple(sorted(order[: outcome.k])) for order in orders}
    assert sorted(outcome.tied_slates) == sorted(slates)
    assert [sorted(tier) for tier in outcome.tier_indices] == tiers_of_orders(orders)
    return True
