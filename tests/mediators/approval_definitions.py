"""The approval rules' definitions, word for word and in exact fractions: slow, and the measure of the fast ones."""

from fractions import Fraction
from itertools import combinations


def supporters(ballots, item):
    return [i for i, ballot in enumerate(ballots) if item in ballot]


def every_slate(rule, ballots, weights, items, k):
    """All slates of a sequential rule, by following every branch.

    Args:
        rule: `(start, best, after)`: the state at the start; the best next items and their worth, none at the end;
            the state after an item.
        ballots: sets of items.
        weights: fractions.
        items: all items.
        k: size of the slates; a rule that ends before gives smaller ones.
    """
    start, best, after = rule
    found, seen = set(), set()

    def choose(chosen, state):
        if (chosen, state) in seen:
            return
        seen.add((chosen, state))
        tied = [] if len(chosen) == k else best(state, chosen, ballots, weights, items)
        if not tied:
            found.add(chosen)
        for item, worth in tied:
            choose(chosen | {item}, after(state, item, worth, ballots, weights))

    choose(frozenset(), start(ballots, weights, k))
    return found


def largest(worth):
    top = max(worth.values(), default=None)
    return [(item, value) for item, value in worth.items() if value == top]


def counting(gain):
    """Rules whose state is how many items each ballot has got."""

    def best(state, chosen, ballots, weights, items):
        worth = {item: sum(weights[i] * gain(state[i]) for i in supporters(ballots, item)) for item in items - chosen}
        return largest({item: value for item, value in worth.items() if value > 0})

    def after(state, item, worth, ballots, weights):
        return tuple(got + (item in ballot) for got, ballot in zip(state, ballots, strict=True))

    return (lambda ballots, weights, k: (0,) * len(ballots)), best, after


def cheapest(prices):
    low = min(prices.values(), default=None)
    return [(item, price) for item, price in prices.items() if price == low]


def phragmen_loads(state, chosen, ballots, weights, items):
    prices = {}
    for item in items - chosen:
        fans = supporters(ballots, item)
        if fans:
            shared = 1 + sum(weights[i] * state[i] for i in fans)
            prices[item] = shared / sum(weights[i] for i in fans)
    return cheapest(prices)


def phragmen_after(state, item, load, ballots, weights):
    return tuple(load if item in ballot else before for before, ballot in zip(state, ballots, strict=True))


def price(state, fans, weights):
    """The smallest q at which the supporters can pay 1; None if they cannot. States hold minus the budgets."""
    budgets = {i: -state[i] for i in fans}
    if sum(weights[i] * budgets[i] for i in fans) < 1:
        return None
    able = sorted(fans, key=budgets.get)
    gone = Fraction(0)
    for place, i in enumerate(able):
        q = (1 - gone) / sum(weights[j] for j in able[place:])
        if q <= budgets[i]:
            return q
        gone += weights[i] * budgets[i]
    return None


def equal_shares(completion):
    """A state is `(phase, loads)`."""

    def start(ballots, weights, k):
        return (0, (-Fraction(k) / sum(weights),) * len(ballots)) if ballots else (0, ())

    def best(state, chosen, ballots, weights, items):
        phase, loads = state
        if phase == 0:
            prices = {item: price(loads, supporters(ballots, item), weights) for item in items - chosen}
            tied = cheapest({item: q for item, q in prices.items() if q is not None})
            if tied:
                return [(item, ("bought", q)) for item, q in tied]
        if completion == "phragmen":
            return [(item, ("load", t)) for item, t in phragmen_loads(loads, chosen, ballots, weights, items)]
        if completion == "utilitarian":
            weight = {item: sum(weights[i] for i in supporters(ballots, item)) for item in items - chosen}
            return [(item, ("weight", w)) for item, w in largest({i: w for i, w in weight.items() if w > 0})]
        return []

    def after(state, item, worth, ballots, weights):
        how, value = worth
        loads = state[1]
        if how == "bought":
            paid = [min(-load, value) if item in b else 0 for load, b in zip(loads, ballots, strict=True)]
            return 0, tuple(load + p for load, p in zip(loads, paid, strict=True))
        return 1, phragmen_after(loads, item, value, ballots, weights) if how == "load" else loads

    return start, best, after


def monroe_after(state, item, worth, ballots, weights):
    left = max(Fraction(0), 1 - 1 / worth)
    return tuple(part * left if item in ballot else part for part, ballot in zip(state, ballots, strict=True))


SEQUENTIAL = {
    "seq_pav": counting(lambda got: Fraction(1, 1 + got)),
    "seq_cc": counting(lambda got: Fraction(got == 0)),
    "seq_phragmen": (lambda ballots, weights, k: (Fraction(0),) * len(ballots), phragmen_loads, phragmen_after),
    "mes": equal_shares("phragmen"),
    "mes(completion=utilitarian)": equal_shares("utilitarian"),
    "mes(completion=none)": equal_shares("none"),
    "greedy_monroe": (
        lambda ballots, weights, k: (Fraction(k) / sum(weights),) * len(ballots) if ballots else (),
        lambda state, chosen, ballots, weights, items: [
            (item, worth)
            for item, worth in largest(
                {item: sum(weights[i] * state[i] for i in supporters(ballots, item)) for item in items - chosen}
            )
            if worth > 0
        ],
        monroe_after,
    ),
}


def filled(slates, items, k):
    """Smaller slates filled up to k items in every way."""
    return {slate | frozenset(more) for slate in slates for more in combinations(sorted(items - slate), k - len(slate))}


def reverse_pav(ballots, weights, items, k):
    """All slates of reverse sequential PAV."""
    found, seen = set(), set()

    def remove(left):
        if left in seen:
            return
        seen.add(left)
        if len(left) == k:
            found.add(left)
            return
        loss = {item: sum(weights[i] / len(ballots[i] & left) for i in supporters(ballots, item)) for item in left}
        for item, value in loss.items():
            if value == min(loss.values()):
                remove(left - {item})

    remove(frozenset(items))
    return found


def best_slates(worth, items, k):
    """All slates of greatest worth."""
    worths = {frozenset(slate): worth(frozenset(slate)) for slate in combinations(sorted(items), k)}
    return {slate for slate, value in worths.items() if value == max(worths.values())}


def thiele(gains, ballots, weights):
    """The worth of a slate by the gains of the j-th item."""
    return lambda slate: sum(w * sum(gains[: len(b & slate)]) for w, b in zip(weights, ballots, strict=True))


def monroe(ballots, weights, k):
    """The worth of a slate by Monroe: ballots of whole weight, split into units, assigned by augmenting paths."""
    units = [ballot for ballot, weight in zip(ballots, weights, strict=True) for _ in range(int(weight))]
    each, larger = divmod(len(units), k)

    def worth(slate):
        # Seats: every item has `each` of its own and, `larger` times in all, one more of any item.
        best = 0
        for wide in combinations(sorted(slate), larger):
            seats = [item for item in slate for _ in range(each + (item in wide))]
            taken = {}

            def seat(unit, tried, seats=seats, taken=taken):
                for number, item in enumerate(seats):
                    if item in units[unit] and number not in tried:
                        tried.add(number)
                        if number not in taken or seat(taken[number], tried):
                            taken[number] = unit
                            return True
                return False

            best = max(best, sum(seat(unit, set()) for unit in range(len(units))))
        return best

    return worth
