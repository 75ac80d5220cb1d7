"""`fairagents llmfosa methods`: what can be trained, what it may see, and the terms that can be switched off."""

from __future__ import annotations


def methods() -> None:
    """List the methods, and LLMFOSA's terms by the names that --off takes."""
    from simulator.commands.llmfosa.options import needs_torch

    needs_torch()
    from simulator.llmfosa.methods import METHODS, method
    from simulator.llmfosa.training.plan import TERMS
    from simulator.terminal import print_table

    found = [method(name) for name in METHODS]
    print_table([{"method": one.name, "sees of the attribute": one.uses, "what it does": one.summary} for one in found])
    print()
    print_table([{"term": name, "when it is off": meaning} for name, meaning in TERMS.items()])
