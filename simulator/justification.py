"""An outcome in words: sentences built from the arithmetic of the decision, so that they can be checked by hand."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from simulator.mediators.base import Mediator
from simulator.mediators.families.lottery import LotteryMediator
from simulator.outcome import TOLERANCE, Memory, Outcome
from simulator.profile import Floats, Profile

LONGEST_NAME = 80
MOST_NAMED = 8
MOST_ASKED_AGAIN = 64


def justify(
    profile: Profile,
    outcome: Outcome,
    mediator: Mediator,
    *,
    k: int,
    priority: Sequence[int] | None = None,
    memory: Memory | None = None,
    seed: int = 0,
) -> str:
    """Say why the first item (or the slate, for rules that choose slates) came out and what would have changed it.

    The sentences say, in this order: the rule; what it remembers about each ballot, where it does; what each ballot
    gave to the first item and to the runner-up; which delivered places are tied; without which single ballot the first
    place would have been another's; which conversions were made. Numbers are rounded to four decimals. Names stand as
    they are, cut at 80 characters; whoever shows the text escapes it.

    Args:
        profile, mediator, k, priority, memory, seed: what the outcome was made from.
        outcome: the outcome.
    """
    weights = outcome.trace.weights
    counted = profile if weights is None else replace(profile, weights=weights)
    writer = _Writer(counted, outcome, _voting(profile), mediator.lottery)
    changes = _without_each(profile, outcome, mediator, k, priority, memory, seed)
    sentences = [f"By {outcome.mediator}: {outcome.trace.rule}."]
    sentences += writer.standing()
    if not (writer.profile.weights > 0).any():
        sentences.append("No ballot has any weight.")
    sentences += writer.slate() if outcome.trace.slates else [*writer.first_places(), *writer.ties()]
    sentences += writer.decisive(changes)
    return " ".join([*sentences, *outcome.notes])


@dataclass(frozen=True, slots=True)
class _Change:
    """What would have won without one ballot: items that share the first place, or the items of a slate."""

    voter: int
    winners: list[int]
    holds: bool  # whether the present first item (or slate) would still be among the winners


def _without_each(
    profile: Profile,
    outcome: Outcome,
    mediator: Mediator,
    k: int,
    priority: Sequence[int] | None,
    memory: Memory | None,
    seed: int,
) -> list[_Change] | None:
    """The change that each ballot makes; None if the rule must be asked again and cannot be asked that often.

    That is for too many ballots, and where an integer program ran out of time: so would most of those without a ballot,
    each after as long, and a slip of what stands in for them would be told as the weight of a ballot.
    """
    first, voting = outcome.order[0], _voting(profile)
    points = mediator.first_place_points(profile, outcome)
    if points is not None:
        rests = points.sum(axis=0) - points
        slack = TOLERANCE * np.abs(points).sum(axis=0).max(initial=0.0)
        winning = rests >= rests.max(axis=1, keepdims=True) - slack
        return [_Change(i, np.flatnonzero(winning[i]).tolist(), bool(winning[i, first])) for i in voting]
    if len(voting) > MOST_ASKED_AGAIN or (mediator.cost == "integer program" and outcome.trace.optimal is False):
        return None
    if isinstance(mediator, LotteryMediator):
        found = [mediator.chances(profile.without(voter)) for voter in voting]
        if any(chances.probabilities is None for chances in found):
            return None
        changes = [
            _Change(voter, np.flatnonzero(chances.possible).tolist(), bool(chances.possible[first]))
            for voter, chances in zip(voting, found, strict=True)
        ]
        return changes
    changes, index = [], {item: i for i, item in enumerate(profile.items)}
    for voter in voting:
        other = mediator.mediate(profile.without(voter), memory, k=k, priority=priority, seed=seed)
        if outcome.trace.slates:
            slate = set(outcome.slate_indices)
            holds = any(slate == set(tied) for tied in other.tied_slates or ())
            changes.append(_Change(voter, list(other.slate_indices), holds))
        else:
            winners = [index[item] for item in other.winners]
            changes.append(_Change(voter, winners, first in winners))
    return changes


def _voting(profile: Profile) -> list[int]:
    """The ballots that have weight and rank anything."""
    voting: list[int] = np.flatnonzero((profile.weights > 0) & (profile.ranks < profile.m).any(axis=1)).tolist()
    return voting


class _Writer:
    """Writes the sentences about one outcome."""

    def __init__(self, profile: Profile, outcome: Outcome, cast: Sequence[int], lottery: bool) -> None:
        self.profile, self.outcome, self.trace, self.cast = profile, outcome, outcome.trace, cast
        self.winners = outcome.winners
        self.first = outcome.order[0]
        self.drawn = lottery and len(outcome.tier_indices[0]) < profile.m  # else there was nothing to draw
        self.runner_up = next((i for i in outcome.order[1:] if profile.items[i] not in self.winners), None)
        self.equal_weights = bool((profile.weights == profile.weights[:1]).all())

    def items(self, indices: Sequence[int], most: int = MOST_NAMED) -> str:
        return _listed([f'"{_cut(self.profile.items[i])}"' for i in indices], most, "other items")

    def voter(self, index: int) -> str:
        return _cut(self.profile.voters[index])

    def standing(self) -> Iterable[str]:
        """What the rule held about each ballot before the round, and the weights that it gave them."""
        if not self.cast:
            return
        held = [f"{name.replace('_', ' ')} is {self._for_each(values)}" for name, values in self.trace.standing.items()]
        if held:
            yield f"At the start of this round, {'; '.join(held)}."
        if self.trace.weights is not None:
            yield f"The ballots weigh {self._for_each(self.trace.weights)}."

    def _for_each(self, values: Floats) -> str:
        if len({_number(values[i]) for i in self.cast}) == 1:
            return f"{_number(values[self.cast[0]])} for all"
        return _listed([f"{_number(values[i])} for {self.voter(i)}" for i in self.cast], MOST_NAMED, "others")

    def first_places(self) -> Iterable[str]:
        """How the first item comes to its place, and how far the next one is from it."""
        if self.trace.steps and self.trace.pairwise is None:
            yield self._chosen_in_turn() if self.trace.steps[0].act == "chosen" else self._counted_in_turn()
            return
        if self.drawn:
            yield from self._what_was_drawn()
            return
        yield f"{self.items([self.first])} comes first{self._worth(self.first)}."
        beside = [item for item in self.outcome.order[1:] if self.profile.items[item] in self.winners]
        if beside:
            also = f"{self.items(beside[:1])} is level with it{self._worth(beside[0])}"
            more = f", and so {'are' if len(beside) > 2 else 'is'} {self.items(beside[1:])}" if len(beside) > 1 else ""
            yield f"{also}{more}."
        if self.runner_up is not None:
            yield f"{self.items([self.runner_up])} follows{self._worth(self.runner_up)}{self._gap(self.runner_up)}."
        left_out = [
            f"{_cut(step.item)} by {_number(step.value)}" for step in self.trace.steps if step.act == "left out"
        ]
        if left_out:
            yield f"Majorities that would close a cycle are left out: {_listed(left_out, MOST_NAMED, 'others')}."

    def _what_was_drawn(self) -> Iterable[str]:
        """The first item's probability, and what else could have been drawn to the first place."""
        chances, contributions = self.outcome.score_values, self.trace.contributions
        if chances is None:
            yield f"{self.items([self.first])} was drawn to come first; how likely that was is not known."
            return
        because = "" if contributions is None else f": {self._sum(contributions[:, self.first])}"
        chance = _number(chances[self.first])
        yield f"{self.items([self.first])} was drawn to come first, with a probability of {chance}{because}."
        likely_first = np.argsort(-chances, kind="stable").tolist()
        others = [item for item in likely_first if chances[item] > 0 and item != self.first]
        if others:
            told = [f'"{_cut(self.profile.items[item])}" with {_number(chances[item])}' for item in others]
            yield f"It could have been {_listed(told, MOST_NAMED, 'others')}."

    def _worth(self, item: int) -> str:
        scores = self.outcome.score_values
        score = "" if scores is None else f" with {_number(scores[item])}"
        if self.trace.contributions is not None:
            return f"{score}: {self._sum(self.trace.contributions[:, item])}"
        if self.trace.pairwise is not None:
            above, below = self.trace.pairwise[item], self.trace.pairwise[:, item]
            slack = TOLERANCE * self.profile.weights.sum()
            wins, losses = int((above - below > slack).sum()), int((below - above > slack).sum())
            return f"{score}: it beats {wins}, ties with {self.profile.m - 1 - wins - losses}, loses to {losses}"
        if self.trace.values is not None:
            return f"{score}: the ballots give it {self._each(self.trace.values[:, item])}"
        return score

    def _sum(self, points: Floats) -> str:
        largest_first = np.argsort(-points, kind="stable").tolist()
        parts = [f"{self.voter(i)} {_number(points[i])}" for i in largest_first[:MOST_NAMED]]
        if len(points) > MOST_NAMED:
            rest = largest_first[MOST_NAMED:]
            parts.append(f"{len(rest)} others {_number(points[rest].sum())}")
        return " + ".join(parts) or "no ballot"

    def _each(self, values: Floats) -> str:
        smallest_first = sorted(_voting(self.profile), key=lambda i: float(values[i]))
        parts = [f"{self.voter(i)} {_number(values[i])}{self._weight(i)}" for i in smallest_first]
        return _listed(parts, MOST_NAMED, "others at least as much")

    def _weight(self, voter: int) -> str:
        return "" if self.equal_weights else f" (weight {_number(self.profile.weights[voter])})"

    def _gap(self, item: int) -> str:
        scores = self.outcome.score_values
        gap = "" if scores is None else f"; {_number(scores[self.first] - scores[item])} behind"
        if self.trace.pairwise is not None:
            for_first, against = self.trace.pairwise[self.first, item], self.trace.pairwise[item, self.first]
            gap += f"; between these two, weight {_number(for_first)} is for {self.items([self.first])}"
            gap += f" and {_number(against)} against"
        return gap

    def _chosen_in_turn(self) -> str:
        steps = list(zip(self.trace.steps, self.outcome.order, strict=False))[: self.outcome.k]
        turns = [
            f"{place}. {self.items([item])} at {_number(step.value)}"
            + (f" ({step.note})" if step.note else "")
            + self._approved_by(item)
            for place, (step, item) in enumerate(steps[:MOST_NAMED], start=1)
        ]
        return f"Chosen in turn: {'; '.join(turns)}{'; ...' if len(steps) > MOST_NAMED else ''}."

    def _counted_in_turn(self) -> str:
        """The steps that say most: whatever puts an item to the top, and the last eliminations."""
        steps = self.trace.steps
        falls = [place for place, step in enumerate(steps) if step.act == "eliminated"]
        tops = [place for place, step in enumerate(steps) if step.act != "eliminated"][:MOST_NAMED]
        shown = sorted([*tops, *falls[len(falls) - max(0, MOST_NAMED - len(tops)) :]])
        words = {"elected": "is elected with", "eliminated": "is eliminated with", "left": "is left with"}
        told = [
            f'"{_cut(steps[place].item)}" {words.get(steps[place].act, "has")} {_number(steps[place].value)}'
            + (f" ({steps[place].note})" if steps[place].note else "")
            for place in shown
        ]
        which = f" ({len(shown)} of its {len(steps)} steps)" if len(shown) < len(steps) else ""
        return f"Step by step{which}: {'; '.join(told)}."

    def _approved_by(self, item: int) -> str:
        if self.trace.values is None:
            return ""
        if not np.isin(self.trace.values, (0, 1)).all():
            return f", of which the ballots have {self._each(self.trace.values[:, item])}"
        approving = [i for i in _voting(self.profile) if self.trace.values[i, item] > 0]
        return (
            f", approved by {_listed([f'{self.voter(i)}{self._weight(i)}' for i in approving], MOST_NAMED, 'others')}"
        )

    def slate(self) -> Iterable[str]:
        """What the chosen slate gives to each ballot, and how far the next best slate is from it."""
        (chosen, worth), *others = self.trace.slates
        gives = (
            "" if self.trace.values is None else f": they give {self._each(self.trace.values[:, chosen].sum(axis=1))}"
        )
        yield f"{self.items(self.outcome.slate_indices)} together are worth {_number(worth)}{gives}."
        tied = len(self.outcome.tied_slates or ())
        if tied > 1:
            more = "" if self.outcome.complete else " or more"
            yield f"{tied}{more} slates are equally good; the tie rule chose this one."
        for slate, other in others:
            yield f"The next best slate is {self.items(slate)} with {_number(other)}."

    def ties(self) -> Iterable[str]:
        """Which of the delivered places are tied."""
        start = 0
        for tier in self.outcome.tier_indices:
            if start >= self.outcome.k:
                return
            if len(tier) > 1:
                places = f"places {start + 1} to {start + len(tier)}"
                yield f"{self.items(tier)} tie for {places}; the tie rule put them in this order."
            start += len(tier)

    def decisive(self, changes: list[_Change] | None) -> Iterable[str]:
        """Without which single ballot the first place (or the slate) would have been another's."""
        what = "slate" if self.trace.slates else "first place"
        if changes is None:
            yield f"Whether a single one of the {self.profile.n} ballots decides the {what} was not computed."
            return
        lost = [change for change in changes if not change.holds]
        for change in lost[:MOST_NAMED]:
            instead = (
                f"{self.items([self.first])} could not have been drawn" if self.drawn else self._instead(change.winners)
            )
            yield f"Without the ballot of {self.voter(change.voter)}, {instead}."
        if len(lost) > MOST_NAMED:
            yield f"{len(lost) - MOST_NAMED} other ballots decide the {what}, too."
        if lost:
            return
        if self.drawn:
            yield f"Whichever single ballot had stayed away, {self.items([self.first])} could have been drawn."
            return
        shared = [change for change in changes if len(change.winners) > 1]
        if shared and len(self.winners) == 1 and not self.trace.slates:
            others = self.items([item for item in shared[0].winners if item != self.first], 3)
            first = self.items([self.first])
            yield f"Without the ballot of {self.voter(shared[0].voter)}, {first} would have tied with {others}."
        else:
            yield f"No single ballot decides the {what}."

    def _instead(self, winners: Sequence[int]) -> str:
        if self.drawn:
            return f"{self.items([self.first])} could not have been drawn"
        if self.trace.slates:
            return f"the slate would have been {self.items(winners)}"
        return (
            f"{self.items(winners, 3)} would have {'come first' if len(winners) == 1 else 'tied for the first place'}"
        )


def _cut(name: str) -> str:
    return name if len(name) <= LONGEST_NAME else name[: LONGEST_NAME - 3] + "..."


def _listed(names: Sequence[str], most: int, others: str) -> str:
    shown = [*names[:most], f"{len(names) - most} {others}"] if len(names) > most + 1 else list(names)
    return f"{', '.join(shown[:-1])} and {shown[-1]}" if len(shown) > 1 else "".join(shown) or "nothing"


def _number(value: float) -> str:
    if 1e-12 < abs(value) < 5e-5:
        return f"{value:.1e}"
    text = f"{value:.4f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text
