"""Cautions: rounds whose figures say less than they seem to, and stakeholders whom a fine average hides."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from simulator.mediators.conversions import cast_weights
from simulator.profile import Floats, Profile
from simulator.records import Event

if TYPE_CHECKING:
    from simulator.metrics.base import History

DEGENERATE = "degenerate_comparison"
STARVED = "starved_stakeholder"


def degenerate_comparison(names: Sequence[str], weights: Floats) -> str | None:
    """Why these ballot weights `(n,)` leave majority rules nothing to decide, in words; None if they do not.

    It is so with fewer than three effective ballots (weight above 0), and with one ballot that weighs more than all
    others together: it wins every pair of items, so that Copeland, Schulze, ranked pairs and their like all return it.
    """
    weighed = weights.tolist()  # few numbers: plain ones are faster than arrays
    effective = sum(weight > 0 for weight in weighed)
    if effective == 0:
        return None
    most, total = max(weighed), sum(weighed)
    decisive = 2 * most > total * (1 + 1e-9)
    if effective > 2 and not decisive:
        return None
    name = names[weighed.index(most)]
    if effective == 1:
        reason = f"'{name}' alone has an effective ballot, which every mediator follows"
    elif decisive:
        share = f"{most:g} of {total:g}"
        reason = f"'{name}' weighs more than all others together ({share}): majority rules follow it alone"
    else:
        reason = "only two ballots are effective, of equal weight: majority rules tie wherever they differ"
    return f"degenerate comparison: {reason}"


@dataclass(frozen=True, slots=True)
class Starvation:
    """When a stakeholder counts as starved: far under its share over a window of rounds while the average looks fine.

    Its satisfaction over the last `window` rounds, s_i = sum of its utilities / sum of what its own best slates would
    have given, is less than `share` times the mean of the others' s, while the mean of all s is at least `average`.

    Attributes:
        window: rounds looked back on; nothing is said before there are as many.
        share: of the others' mean, in (0, 1].
        average: what counts as fine, in 0..1.
    """

    window: int = 10
    share: float = 0.5
    average: float = 0.5

    def satisfaction(self, history: History) -> Floats | None:
        """The s `(n,)` of the last `window` rounds, 1 where nothing could be had; None before there are as many."""
        if len(history) < self.window:
            return None
        got, best = history.last(self.window)
        return np.where(best > 0, got / np.where(best > 0, best, 1.0), 1.0)

    def starved(self, satisfaction: Floats) -> list[int]:
        """Places of those who are starved at this satisfaction `(n,)`."""
        values = satisfaction.tolist()
        n, total = len(values), sum(values)
        if n < 2 or total < self.average * n:
            return []
        return [place for place, own in enumerate(values) if own < self.share * (total - own) / (n - 1)]


class Cautions:
    """Finds what a round calls for caution about, as events of the log.

    Args:
        names: the stakeholders.
        starvation: when one of them counts as starved.
    """

    def __init__(self, names: Sequence[str], starvation: Starvation) -> None:
        self._names = names
        self._starvation = starvation

    def events(self, number: int, profile: Profile, history: History) -> list[Event]:
        """A `warning` event for everything that holds in round `number`, by its last ballots and the rounds so far."""
        found: list[Event] = []
        reason = degenerate_comparison(self._names, cast_weights(profile))
        if reason is not None:
            found.append({"event": "warning", "round": number, "kind": DEGENERATE, "message": reason})
        satisfaction = self._starvation.satisfaction(history)
        if satisfaction is not None:
            found += [self._starved(number, place, satisfaction) for place in self._starvation.starved(satisfaction)]
        return found

    def _starved(self, number: int, place: int, satisfaction: Floats) -> Event:
        name, own, mean = self._names[place], float(satisfaction[place]), float(satisfaction.mean())
        others = (float(satisfaction.sum()) - own) / (len(satisfaction) - 1)
        message = (
            f"starved stakeholder: over {self._starvation.window} rounds up to round {number}, '{name}' got {own:.2f} "
            f"of what its own best slates would have given and the others {others:.2f} on average; the mean of all, "
            f"{mean:.2f}, does not show it"
        )
        return {
            "event": "warning",
            "round": number,
            "kind": STARVED,
            "stakeholder": name,
            "message": message,
            "satisfaction": own,
            "others": others,
            "mean": mean,
        }
