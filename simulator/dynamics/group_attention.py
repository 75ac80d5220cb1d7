"""What kinds of items each group of users was shown so far, where it is only inferred who belongs to which."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from simulator.catalogue import Catalogue
from simulator.dynamics.base import Dynamic
from simulator.profile import Floats, Ints
from simulator.registry import register
from simulator.requests import Request
from simulator.state import WorldState


@register("dynamic", "group_attention")
@dataclass(frozen=True)
class GroupAttention(Dynamic):
    """E(g, kind) <- E(g, kind) + q(g) / log2(1 + place) for every item of the slate.

    q(g) is the share of group g in the user. E starts at `prior` times the share of the kind among the items, alike for
    every group, so that the first user decides nothing. The array is hidden: its change from one round to the next
    would tell the shares of one user.

    Attributes:
        by: column that tells an item's kind; items where it is blank have none.
        prior: attention that every group is taken to have had before, above 0.
        array: the hidden array's name.
    """

    by: str
    prior: float = 1.0
    array: str = "group_attention"

    def __post_init__(self) -> None:
        if not 0 < self.prior < np.inf:
            raise ValueError(f"prior must be a finite number above 0, found {self.prior}")

    def hidden_arrays(self) -> tuple[str, ...]:
        """Attention by group and kind."""
        return (self.array,)

    def columns(self) -> tuple[str, ...]:
        """The kinds."""
        return (self.by,)

    def check(self, catalogue: Catalogue) -> list[str]:
        """There must be two kinds."""
        kinds = {text.strip() for text in catalogue.columns[self.by]} - {""}
        few = f"column '{self.by}' has {len(kinds)} kind of items; groups cannot be shown different ones"
        return [] if len(kinds) > 1 else [few]

    def start(self, catalogue: Catalogue, state: WorldState) -> WorldState:
        """Nobody was shown anything yet."""
        texts = [text.strip() for text in catalogue.columns[self.by]]
        known = {text: code for code, text in enumerate(sorted({*texts} - {""}))}
        codes = np.array([known.get(text, -1) for text in texts], dtype=np.int64)
        counts = np.bincount(codes[codes >= 0], minlength=len(known))
        constants = {
            **state.constants,
            f"{self.array}/kind": codes.astype(np.float64),
            f"{self.array}/prior": self.prior * counts / counts.sum(),
        }
        hidden = {**state.hidden, self.array: np.zeros((0, len(known)))}
        return replace(state, constants=constants, hidden=hidden)

    def evolve(self, state: WorldState, delivered: Ints) -> WorldState:
        """Nothing changes where it is not known who asked."""
        return state

    def deliver(self, state: WorldState, delivered: Ints, request: Request) -> WorldState:
        """Add the attention that each kind got, by the groups' shares in the user."""
        if not request.membership:
            return state
        kinds = state.constants[f"{self.array}/kind"].astype(np.int64)[delivered]
        attention = 1 / np.log2(np.arange(len(delivered)) + 2)
        known = kinds >= 0
        before = attention_by_group(state, self.array, len(request.membership))
        shown = np.bincount(kinds[known], attention[known], minlength=before.shape[1])
        added = before + np.array(request.membership)[:, None] * shown
        return replace(state, hidden={**state.hidden, self.array: added})


def attention_by_group(state: WorldState, array: str, groups: int) -> Floats:
    """The hidden array `(G, K)`, which is the prior until somebody was shown something."""
    seen = state.hidden[array]
    return seen if len(seen) else np.tile(state.constants[f"{array}/prior"], (groups, 1))
