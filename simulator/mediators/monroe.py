"""Monroe's rule on approvals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import comb
from typing import ClassVar

import numpy as np

from simulator.mediators.base import Cost, Need
from simulator.mediators.families.committees import CommitteeMediator
from simulator.mediators.families.electorate import Electorate
from simulator.mediators.families.integer_program import Program
from simulator.mediators.families.slates import MOST_ENUMERATED, SlateChoice, all_slates, choice_of, slate_utilities
from simulator.mediators.greedy_monroe import GreedyMonroe
from simulator.outcome import TOLERANCE
from simulator.profile import Floats, Ints
from simulator.registry import register

MOST_CELLS = 1_000_000
MOST_SUBSETS = 12


@register("mediator", "monroe")
@dataclass(frozen=True)
class Monroe(CommitteeMediator):
    """The slate of k items with most weight represented by an approved item, each item representing its equal share.

    Ballots are assigned to items so that each item of the slate W represents n / k of the weight n; the worth of W is
    the greatest weight that can be assigned to items it approves. Where the weights of like ballots add up to whole
    numbers, the shares are whole: floor(n / k) or floor(n / k) + 1. Otherwise a ballot may be split between items, and
    the shares are equal. Abstentions are not represented. Ties, bounds, ranking and batches as in `pav`, but that the
    bound counts the slates of up to k items, and that `greedy_monroe` stands in where the program finds nothing in
    time.

    Attributes:
        approve: how approvals are read from ballots: auto, top, top-3, mean, threshold-0.5.
        time_limit: seconds for the integer program.

    Sources: B. L. Monroe, Fully proportional representation, 1995, on approvals; JR: H. Aziz et al., Justified
    representation in approval-based committee voting, 2017.
    """

    name: ClassVar[str] = "monroe"
    needs: ClassVar[Need] = "approval"
    properties: ClassVar[tuple[str, ...]] = ("anonymous", "neutral", "jr")
    cost: ClassVar[Cost] = "integer program"
    rule: ClassVar[str] = (
        "assign to each item of the slate an equal share of the ballots; the slate with most weight assigned to an "
        "item that it approves"
    )

    def compare(
        self, people: Electorate, members: Sequence[Sequence[int]], k: int, in_order: Sequence[int]
    ) -> SlateChoice | None:
        """Compare all slates; see `_worths`."""
        m = len(in_order)
        if sum(comb(m, size) for size in range(1, k + 1)) > MOST_ENUMERATED:
            return None
        kind_of = np.empty(m, dtype=np.int64)
        for kind, items in enumerate(members):
            kind_of[items] = kind
        worths = _worths(people, kind_of, k)
        tied = worths >= worths.max() - TOLERANCE * worths.max()
        slates = all_slates(m, k)
        others = np.where(tied, -np.inf, worths)
        next_best = None if tied.all() else tuple(slates[others.argmax()].tolist())
        return choice_of(slates[tied], m, in_order, next_best, f"All {comb(m, k)} slates were compared.")

    def worth(self, people: Electorate, counts: Ints, k: int) -> float:
        """The greatest weight that can be assigned to approved items."""
        kinds = np.repeat(np.arange(len(counts)), counts)
        if k <= MOST_SUBSETS:
            return float(_worths(people, kinds, k)[0])
        return _assigned(people, kinds)

    def program(self, people: Electorate, kind_of: Ints, k: int) -> Program:
        """Besides the items: the weight of each ballot that is assigned to each item, and which shares are larger."""
        from scipy.sparse import csr_matrix

        m, n = len(kind_of), len(people.weights)
        share, larger, unit = _shares(people, k)
        item, voter = np.nonzero(people.columns[kind_of])
        pairs = len(item)
        # Columns: the x of m items, which of them represent more, and z of the pairs of an item and a supporter.
        pair, each = np.arange(pairs), np.arange(m)
        more, z = m + each, 2 * m + pair
        # Rows: no ballot is assigned twice, to no item outside of the slate, no item represents more than its share,
        # none outside of the slate a larger one, and not too many of them do.
        within, shares, inside = n, n + pairs, n + pairs + m
        entries = [
            (voter, z, np.ones(pairs)),
            (within + pair, z, np.ones(pairs)),
            (within + pair, item, -people.weights[voter]),
            (shares + item, z, np.ones(pairs)),
            (shares + each, each, np.full(m, -share)),
            (shares + each, more, np.full(m, -unit)),
            (inside + each, more, np.ones(m)),
            (inside + each, each, -np.ones(m)),
            (np.full(m, inside + m), more, np.ones(m)),
        ]
        rows, columns, numbers = (np.concatenate(part) for part in zip(*entries, strict=True))
        shape = (inside + m + 1, 2 * m + pairs)
        return Program(
            gain=np.concatenate([np.zeros(2 * m), np.ones(pairs)]),
            rows=csr_matrix((numbers, (rows, columns)), shape=shape),
            limits=np.concatenate([people.weights, np.zeros(pairs + 2 * m), [float(larger)]]),
            upper=np.concatenate([np.ones(2 * m), people.weights[voter]]),
            whole=np.arange(2 * m + pairs) < m,
        )

    def near(self, people: Electorate, k: int) -> tuple[Ints, str]:
        """The slate of `greedy_monroe`."""
        rule, counts = GreedyMonroe(), np.zeros_like(people.sizes)
        state = rule.start(people, k)
        for _ in range(k):
            open_kinds = counts < people.sizes
            worth = np.where(open_kinds, rule.worth(state, people, open_kinds), -np.inf)
            kind = int(worth.argmax() if worth.max() > -np.inf else open_kinds.argmax())
            if worth[kind] > -np.inf:
                state = rule.after(state, worth[kind : kind + 1], people.columns[kind])
            counts[kind] += 1
        return counts, "found by greedy_monroe"


def _shares(people: Electorate, k: int) -> tuple[float, int, float]:
    """The weight that an item represents, how many items represent more, and how much more, in `people`'s units."""
    weights = people.weights * people.scale
    total = weights.sum()
    if not np.isfinite(total) or (weights != np.floor(weights)).any():
        return float(people.weights.sum() / k), 0, 0.0
    each, larger = divmod(total, k)
    return float(each / people.scale), int(larger), 1 / people.scale


def _worths(people: Electorate, kind_of: Ints, k: int) -> Floats:
    """The worth of all slates of k items, in the order of `all_slates`; `kind_of` `(m,)` is the kind of every item.

    What can be assigned is a greatest flow from ballots to items, so it is the smallest cut: over all parts T of the
    slate, the weight of ballots that approve something in T, and the shares of the items outside of T. The smallest
    weight of such ballots over the T of each size is carried from slates of s - 1 items to those of s items.
    """
    m = len(kind_of)
    share, larger, unit = _shares(people, k)
    least = np.zeros((1, 1))
    ways = np.array([[comb(a, b) for b in range(k + 1)] for a in range(m + 1)])
    block = max(1, MOST_CELLS // max(1, len(people.weights)))
    values = people.columns[kind_of].T
    for size in range(1, k + 1):
        slates = all_slates(m, size)
        reached = np.empty(len(slates))
        for start in range(0, len(slates), block):
            reached[start : start + block] = people.weights @ (
                slate_utilities(values, slates[start : start + block]) > 0
            )
        smaller = np.full((len(slates), size), np.inf)
        for out in range(size):
            rest = np.delete(slates, out, axis=1)
            # The number of a slate of s - 1 items in the order of `all_slates`.
            after = ways[m - 1 - rest, size - 1 - np.arange(size - 1)].sum(axis=1)
            smaller = np.minimum(smaller, least[ways[m, size - 1] - 1 - after])
        least = np.column_stack([smaller, reached])
    outside = k - np.arange(k + 1)
    return np.asarray((least + outside * share + np.minimum(outside, larger) * unit).min(axis=1))


def _assigned(people: Electorate, kinds: Ints) -> float:
    """The same for a single slate of many items, whose kinds are `kinds` `(k,)`, as a linear program."""
    from scipy.optimize import linprog
    from scipy.sparse import csr_matrix

    k, n = len(kinds), len(people.weights)
    share, larger, unit = _shares(people, k)
    item, voter = np.nonzero(people.columns[kinds])
    pair, each = np.arange(len(item)), np.arange(k)
    rows = np.concatenate([voter, n + item, n + each, np.full(k, n + k)])
    columns = np.concatenate([pair, pair, len(pair) + each, len(pair) + each])
    numbers = np.concatenate([np.ones(2 * len(pair)), np.full(k, -unit), np.ones(k)])
    table = csr_matrix((numbers, (rows, columns)), shape=(n + k + 1, len(pair) + k))
    limits = np.concatenate([people.weights, np.full(k, share), [float(larger)]])
    gain = np.concatenate([-np.ones(len(pair)), np.zeros(k)])
    upper = np.concatenate([people.weights[voter], np.ones(k)])
    result = linprog(gain, A_ub=table, b_ub=limits, bounds=np.column_stack([np.zeros(len(upper)), upper]))
    return float(-result.fun)
