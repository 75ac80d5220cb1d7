"""Rules that choose one item after another and remember from round to round what every ballot holds."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from simulator.mediators.base import Cost, Mediator
from simulator.mediators.conversions import Notes, cast_weights
from simulator.mediators.families.choices import Choices, State, choose
from simulator.mediators.families.memory import recalled, remembered
from simulator.outcome import Memory, Outcome, Step, Trace, tiers_of
from simulator.profile import Bools, Floats, Profile


@dataclass(frozen=True)
class RememberingMediator(Mediator):
    """A rule that chooses by what ballots say and by what the memory holds about each of them.

    With k = 1 it decides one item a round. With k > 1 every delivered item is a decision of its own: items are chosen
    one by one and the state changes after each, so the order of choice is the ranking, and the next round goes on from
    the state after the k delivered items. Weights are multiplicities: a ballot of weight 2 stands for two that vote
    alike.

    Memory holds one number per `fields` and voter, by name. A newcomer starts with the number of the first round; one
    that is away, abstains or has weight 0 keeps its own. `winners`, `slates` and `tiers` follow every way to break
    ties; where there are more than can be followed, `complete` is false and the notes say from which choice on.

    The array functions take leading batch axes, so thousands of histories run at once (`families/histories.py`);
    `batch` on profiles loops. One decision costs O(n m), a full ranking O(n m^2).
    """

    cost: ClassVar[Cost] = "quadratic"
    fields: ClassVar[Mapping[str, float]]  # what is remembered about a ballot, with its value in the first round

    def initial(self, *shape: int) -> State:
        """The state `(..., n)` before the first round."""
        return {name: np.full(shape, start) for name, start in self.fields.items()}

    @abstractmethod
    def said(self, profile: Profile, k: int) -> tuple[Floats, Notes]:
        """What the ballots say about the items, `(n, m)`, and how that was read from them, in words."""

    def eligible(self, columns: Floats) -> Bools:
        """The items `(m,)` that are chosen in turn; the others come last, tied, and change nothing when delivered."""
        return np.ones(columns.shape[-1], dtype=np.bool_)

    @abstractmethod
    def criteria(self, state: State, columns: Floats, weights: Floats) -> Sequence[Floats] | Floats:
        """What decides between items, first things first: arrays `(..., m)`, larger is better (`choices.Chooser`)."""

    @abstractmethod
    def after(self, state: State, gains: Floats, weights: Floats) -> State:
        """The state after a decision of which the ballots say `gains` `(..., n)`."""

    def opened(self, state: State, columns: Floats, weights: Floats, k: int = 1) -> State:
        """The state once the ballots of a round are known, before its first decision."""
        return state

    def closed(self, state: State, columns: Floats, weights: Floats, k: int = 1) -> State:
        """The state after the last decision of a round."""
        return state

    def shown(self, value: float) -> float:
        """The first criterion as the rule's paper states it."""
        return value

    def mediate(
        self,
        profile: Profile,
        memory: Memory | None = None,
        *,
        k: int = 1,
        priority: Sequence[int] | None = None,
        seed: int = 0,
    ) -> Outcome:
        """Choose items one by one from the state that memory holds, and remember the state after k of them."""
        values, notes = self.said(profile, k)
        all_weights = cast_weights(profile)
        counted = np.flatnonzero(all_weights > 0)
        weights, columns = all_weights[counted], values[counted]
        voters = [profile.voters[voter] for voter in counted]
        before = {name: recalled(memory, name, profile.voters, start) for name, start in self.fields.items()}
        in_order = list(range(profile.m) if priority is None else priority)
        state = self.opened({name: held[counted] for name, held in before.items()}, columns, weights, k)
        choices = choose(self, state, columns, self.eligible(columns), weights, in_order, k)
        state = self.closed(choices.state, columns, weights, k)
        after = {name: remembered(memory, name, voters, held) for name, held in state.items()}
        return self._outcome(profile, choices, values, before, {**(memory or {}), **after}, k, in_order, notes)

    def _outcome(
        self,
        profile: Profile,
        choices: Choices,
        values: Floats,
        standing: State,
        memory: Memory,
        k: int,
        in_order: Sequence[int],
        notes: Notes,
    ) -> Outcome:
        first = set(choices.chosen)
        order = (*choices.chosen, *(item for item in in_order if item not in first))
        ranks = np.empty(profile.m, dtype=np.int64)
        ranks[list(order)] = np.searchsorted(choices.cuts, np.arange(profile.m), side="right")
        if choices.lost_at is not None:
            notes += (f"From choice {choices.lost_at} on there are more ways to break ties than were followed.",)
        steps = zip(choices.chosen, choices.values, choices.ties, strict=True)
        return Outcome(
            mediator=self.label,
            items=profile.items,
            k=k,
            order=order,
            tier_indices=tiers_of(ranks, order),
            slate_indices=order[:k],
            score_values=None,
            trace=Trace(
                self.rule,
                values=values,
                steps=tuple(
                    Step(profile.items[item], self.shown(value), f"tied with {ties} more" if ties else "")
                    for item, value, ties in steps
                ),
                standing=standing,
            ),
            tied_slates=choices.slates,
            tied_winners=choices.winners,
            complete=choices.complete,
            notes=notes,
            memory=memory,
        )


def supporters(gains: Floats, weights: Floats) -> Floats:
    """The weight of the ballots that approve, `(..., 1)`."""
    return np.asarray((gains * weights).sum(axis=-1, keepdims=True))


def support(worth: Floats, columns: Floats) -> Floats:
    """Sum over ballots of `worth` `(..., n)` times what they say `(..., n, m)`, as `(..., m)`."""
    return np.asarray((worth[..., None, :] @ columns)[..., 0, :])


def settled(values: Floats) -> Floats:
    """Values with rounding errors around 0 made 0: what is exactly used up must not count as a little left."""
    return np.where(np.abs(values) < 1e-9, 0.0, values)
