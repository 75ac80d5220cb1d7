"""The subgame-perfect equilibrium of alternating offers with complete information, by backward induction.

Sources: A. Rubinstein, Perfect equilibrium in a bargaining model, Econometrica 50, 1982 (two parties); K. Binmore, A.
Rubinstein and A. Wolinsky, The Nash bargaining solution in economic modelling, RAND Journal of Economics 17, 1986
(breakdown); D. P. Baron and J. A. Ferejohn, Bargaining in legislatures, American Political Science Review 83, 1989
(drawn proposers and a quorum).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from simulator.outcome import TOLERANCE
from simulator.profile import Bools, Floats, Ints


@dataclass(frozen=True)
class Game:
    """Alternating offers over finitely many deals and turns.

    Attributes:
        worth: `(n, D)`.
        reservations: `(n,)` what no agreement is worth.
        discounts: `(n,)` what a turn's delay leaves of a deal's worth, in (0, 1].
        breakdown: chance that the negotiation breaks down after a rejected offer, in [0, 1).
        weights: `(n,)` weights of the parties' votes on an offer.
        quorum: share of the total weight that must agree, the proposer's own included.
        proposers: `(T,)` who proposes in each turn.
    """

    worth: Floats
    reservations: Floats
    discounts: Floats
    breakdown: float
    weights: Floats
    quorum: float
    proposers: Ints


@dataclass(frozen=True)
class Equilibrium:
    """What the equilibrium strategies do in every turn.

    Attributes:
        offers: `(T,)` the proposers' deals; -1 where no deal is worth its proposer's while.
        lines: `(T, n)` the least worth at which a party accepts an offer in that turn: what rejecting it is worth.
    """

    offers: Ints
    lines: Floats


def solve(game: Game) -> Equilibrium:
    """Backward induction from the last turn, after which everybody has the reservation value.

    A party accepts what is worth at least as much as rejecting. A proposer offers, among the deals that enough would
    accept and that are worth no less to itself than being rejected, the best for itself; of equally good ones the one
    with the greatest sum of worth, then the first. Time is O(T n D).
    """
    turns, n = len(game.proposers), len(game.worth)
    offers = np.full(turns, -1, dtype=np.int64)
    lines = np.empty((turns, n))
    line = game.reservations
    total = game.worth.sum(axis=0)
    for turn in range(turns - 1, -1, -1):
        lines[turn] = line
        proposer = game.proposers[turn]
        rows = np.flatnonzero(passes(game, line, int(proposer)))
        value = line
        if len(rows):
            best = np.lexsort((rows, -total[rows], -np.round(game.worth[proposer, rows], 12)))[0]
            offers[turn] = rows[best]
            value = game.worth[:, rows[best]]
        line = game.breakdown * game.reservations + (1 - game.breakdown) * game.discounts * value
    return Equilibrium(offers, lines)


def passes(game: Game, line: Floats, proposer: int) -> Bools:
    """Whether enough weight accepts each deal, its proposer included, `(D,)`; the proposer must want it itself."""
    accepts = game.worth >= line[:, None] - TOLERANCE
    enough = game.weights @ accepts >= game.quorum * game.weights.sum() * (1 - TOLERANCE)
    return np.asarray(enough & accepts[proposer])
