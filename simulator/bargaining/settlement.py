"""A bargained slate as an outcome, so that everything that reads outcomes reads it too."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from simulator.outcome import Outcome, Step, Trace
from simulator.profile import Floats


def settlement(
    label: str,
    slate: Sequence[int],
    opening: Outcome,
    *,
    rule: str,
    declared: Floats,
    steps: Sequence[Step] = (),
    notes: Sequence[str] = (),
) -> Outcome:
    """The outcome that delivers a bargained slate; its items tie, the others follow as the mediator ranked them.

    Args:
        label: the protocol with its parameters.
        slate: item indices.
        opening: what the mediator made of the opening ballots; its memory is handed on as it was.
        rule: how the slate was bargained, in one sentence.
        declared: `(n, m)` what the ballots say the items are worth.
        steps: the offers in order.
        notes: what else should be known.
    """
    chosen = set(slate)
    first = tuple(item for item in opening.order if item in chosen)
    rest = tuple(kept for tier in opening.tier_indices if (kept := tuple(i for i in tier if i not in chosen)))
    order = (*first, *(item for tier in rest for item in tier))
    return replace(
        opening,
        mediator=label,
        order=order,
        tier_indices=(first, *rest),
        slate_indices=first,
        score_values=None,
        trace=Trace(rule, values=declared, steps=tuple(steps)),
        tied_slates=None,
        tied_winners=None,
        complete=True,
        notes=tuple(notes),
    )
