"""Alignment: how far a stakeholder's first proposal follows its stated objective."""

from __future__ import annotations

from simulator.metrics.base import Evaluation, metric
from simulator.metrics.kendall_tau import tau_b
from simulator.profile import Floats


@metric("alignment", scope="stakeholder", standard=True)
def alignment(view: Evaluation) -> Floats:
    """Kendall's tau-b between the stakeholder's first proposal of the round and its true utilities.

    nan for a stakeholder that abstains or that is indifferent between all candidates.
    """
    return tau_b(-view.first_ranks, view.utilities)


@metric("alignment_equal_weights", scope="stakeholder", better="neither", standard=True)
def alignment_equal_weights(view: Evaluation) -> Floats:
    """Kendall's tau-b between the utilities at equal weights with the right signs and the true ones: a baseline."""
    return tau_b(view.equal_utilities, view.utilities)
