"""Which failures mean that the input was wrong, and what the command line says about them."""

from __future__ import annotations

MOST_LINES = 200


def wrong_input(error: BaseException) -> list[str] | None:
    """One line per problem if the input was wrong; None if it is a failure of the run."""
    from simulator.inputs.usercode import RegistryError
    from simulator.inputs.yamlfile import InputError, Problem
    from simulator.models.base import ModelUnavailable
    from simulator.models.spec import ModelSpecError
    from simulator.runs.read import RunError

    if isinstance(error, InputError):
        count = len(error.problems)
        lines = [str(problem) for problem in error.problems[:MOST_LINES]]
        if count > MOST_LINES:
            lines.append(f"... and {count - MOST_LINES} more")
        return [*lines, f"{count} problems"] if count > 1 else lines
    if isinstance(error, ModelUnavailable | ModelSpecError):
        return [str(Problem("model", str(error)))]
    if isinstance(error, RegistryError | RunError):
        return [str(error)]
    return None
