"""What went wrong, for a person at the page."""

from __future__ import annotations


def plain_error(error: BaseException) -> str:
    """What went wrong, in one line for a person."""
    from simulator.inputs.failures import wrong_input
    from simulator.keys import error_line

    while isinstance(error, BaseExceptionGroup):  # of the stakeholders that were asked at the same time
        error = error.exceptions[0]
    lines = wrong_input(error)
    return "; ".join(lines[:3]) if lines else error_line(error).replace("\n", " ")
