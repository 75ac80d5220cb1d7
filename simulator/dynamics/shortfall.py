"""Deliveries that a group of items is short of, against a target share: the gap closes or opens."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from simulator.catalogue import Catalogue
from simulator.dynamics.base import GONE, Dynamic
from simulator.profile import Floats, Ints
from simulator.registry import register
from simulator.state import WorldState


@register("dynamic", "shortfall")
@dataclass(frozen=True)
class Shortfall(Dynamic):
    """G(g) <- decay x G(g) + k x target(g) - (deliveries to group g), and every item has the G of its group.

    It is counted in deliveries and starts at 0. A slate of k items that passes a group over opens its gap by
    k x target(g); a delivery to the group closes it by 1; what is long ago is forgotten, so an idle world returns to 0.
    The gaps of all groups sum to 0, and each stays between -k / (1 - decay) and k / (1 - decay). It is the lag of a
    group behind its share, as allocators of attention keep it (A. J. Biega, K. P. Gummadi and G. Weikum, Equity of
    attention, SIGIR 2018), with a memory that fades.

    Attributes:
        group: column that tells the groups apart: by its text, or by intervals of its number.
        edges: rising bounds of the intervals, such as (4, 11): below 4, from 4 to below 11, from 11; none = by text.
            What is blank is a group of its own.
        share: column with an item's size, so that the target is the group's share of all sizes, a blank counting 0; by
            default the group's share of the items.
        decay: share of the gap that is remembered a round later, in [0, 1).
        array: the state array's name.
    """

    group: str
    edges: tuple[float, ...] = ()
    share: str = ""
    decay: float = 0.9
    array: str = "shortfall"

    def __post_init__(self) -> None:
        if not 0 <= self.decay < 1:
            raise ValueError(f"decay must be in [0, 1), found {self.decay}")
        if not all(map(math.isfinite, self.edges)) or any(low >= high for low, high in pairwise(self.edges)):
            raise ValueError(f"edges must rise, found {self.edges}")

    def arrays(self) -> tuple[str, ...]:
        """The array of gaps."""
        return (self.array,)

    def columns(self) -> tuple[str, ...]:
        """The groups, and the sizes if a column holds them."""
        return (self.group, self.share) if self.share else (self.group,)

    def check(self, catalogue: Catalogue) -> list[str]:
        """There must be two groups, and sizes must not be negative."""
        catalogue.check_numbers([*([self.group] if self.edges else []), *([self.share] if self.share else [])])
        problems = []
        if len(np.unique(self._groups(catalogue))) < 2:
            problems.append(f"column '{self.group}' puts all items into one group, which can be short of nothing")
        if self.share and not np.nansum(catalogue.numbers(self.share)) > 0:
            problems.append(f"column '{self.share}' adds up to nothing that could be shared")
        elif self.share and (catalogue.numbers(self.share) < 0).any():
            problems.append(f"column '{self.share}' must not be negative to be a size")
        return problems

    def start(self, catalogue: Catalogue, state: WorldState) -> WorldState:
        """Nobody was passed over yet."""
        groups = self._groups(catalogue)
        sizes = np.nan_to_num(catalogue.numbers(self.share)) if self.share else np.ones(len(catalogue))
        target = np.bincount(groups, sizes) / sizes.sum()
        constants = {
            **state.constants,
            f"{self.array}/group": groups.astype(np.float64),
            f"{self.array}/target": target[groups],
        }
        return replace(state, items={**state.items, self.array: np.zeros(len(catalogue))}, constants=constants)

    def evolve(self, state: WorldState, delivered: Ints) -> WorldState:
        """Forget, open by the target, close by what was delivered."""
        groups = state.constants[f"{self.array}/group"].astype(np.int64)
        given = np.bincount(groups[delivered], minlength=groups.max() + 1)[groups]
        due = len(delivered) * state.constants[f"{self.array}/target"]
        gap: Floats = state.items[self.array] * self.decay
        gap[np.abs(gap) < GONE] = 0.0
        return replace(state, items={**state.items, self.array: gap + due - given})

    def _groups(self, catalogue: Catalogue) -> Ints:
        """Group number `(N,)` of every item."""
        if not self.edges:
            texts = [text.strip() for text in catalogue.columns[self.group]]
            known = {text: number for number, text in enumerate(sorted(set(texts)))}
            return np.array([known[text] for text in texts], dtype=np.int64)
        numbers = catalogue.numbers(self.group)
        return np.where(np.isnan(numbers), len(self.edges) + 1, np.searchsorted(self.edges, numbers, side="right"))
