"""How far an item, shown to this user, would bring together what groups of users are shown."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from simulator.derivations.base import Derivation
from simulator.dynamics.group_attention import attention_by_group
from simulator.metrics.divergence import jensen_shannon_distance
from simulator.profile import Floats
from simulator.registry import register
from simulator.requests import Request
from simulator.state import Moment


@register("derivation", "narrowing")
@dataclass(frozen=True)
class Narrowing(Derivation):
    """x(a) = place of a's kind, from 0 (worst) to 1, by the gap between groups after a first place for it.

    The gap is the Jensen-Shannon distance between the groups' distributions of attention over kinds; a first place
    adds the user's share in each group to the attention of the item's kind. Kinds that lead to the same gap share a
    place; all have 0.5 where none makes a difference. Only the order is given, since the size of the change would tell
    the shares; and the attribute is private, described to nobody.

    Attributes:
        array: the hidden array of a dynamic `group_attention`.
    """

    array: str = "group_attention"

    depends_on = "state"
    private = True

    def hidden_arrays(self) -> tuple[str, ...]:
        """The attention by group and kind."""
        return (self.array,)

    def check_request(self, request: Request) -> list[str]:
        """It must be inferred which groups the user is in."""
        return [] if request.membership else ["has no shares in groups; name them in 'requests.membership'"]

    def compute(self, moment: Moment) -> Floats:
        """Places `(N,)`; missing for items without a kind, and where it is not known who asks."""
        if not moment.request.membership:
            return np.full(len(moment.catalogue), np.nan)
        codes = moment.state.constants[f"{self.array}/kind"].astype(np.int64)
        shares = np.array(moment.request.membership)
        places = np.array([*_places(attention_by_group(moment.state, self.array, len(shares)), shares), np.nan])
        return places[codes]  # -1, no kind, is the last one


def _places(attention: Floats, shares: Floats) -> Floats:
    """Place `(K,)` of every kind, from attention `(G, K)` and the user's shares `(G,)`."""
    kinds = np.eye(attention.shape[1])
    after = attention + shares[:, None] * kinds[:, None, :]  # (K, G, K): one kind more, for every kind
    gaps = jensen_shannon_distance(after / after.sum(axis=-1, keepdims=True))
    levels = np.unique(np.round(gaps, 12), return_inverse=True)[1].reshape(-1)
    return np.asarray(1 - levels / levels.max() if levels.max() else np.full(len(gaps), 0.5))
