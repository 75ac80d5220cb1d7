"""What an inference prints in the end: figures about all users together, none about a single one."""

from __future__ import annotations

import json
from pathlib import Path

from simulator.llmfosa.annotations import Annotations
from simulator.llmfosa.personas.reckoning import accuracy_lines


def lines(found: Annotations, manifest: Path) -> list[str]:
    """Counts, agreement, cost, and accuracy where the truth is known."""
    told = json.loads(manifest.read_text(encoding="utf-8"))
    cost, answers, agreement = told["cost"], told["answers"], told["agreement"]
    names = [persona.name for persona in found.personas]
    values = ", ".join(f"{value} {(found.labels == code).mean():.0%}" for code, value in enumerate(found.values))
    kappa, alpha = (_figure(agreement[key]) for key in ("fleiss_kappa", "krippendorff_alpha"))
    editor = told["editor"]
    written = (
        f"{editor['written_by_model']} of {len(names)} written by the model"
        if editor["written_by_model"]
        else "shipped"
    )
    text = [
        f"{len(found.users)} users, {len(names)} personas ({', '.join(names)}; {written}, "
        f"distance {editor['diversity']['distance']:.2f})",
        f"{found.attribute}: {values}; {told['abstentions']} abstentions, {told['repairs']} repaired replies",
        f"agreement: Fleiss' kappa {kappa}, Krippendorff's alpha {alpha}",
        f"cost: {answers['new_in_this_run']} new answers, {answers['known_before']} known before, "
        f"{cost['prompt_tokens'] + cost['completion_tokens']} tokens, {cost['seconds']:.0f} s "
        f"({cost['cpu_seconds']:.0f} s of CPU)",
    ]
    if told["faults"]:
        faults = ", ".join(f"{times} {fault.replace('_', ' ')}" for fault, times in told["faults"].items())
        text.append(
            f"faulty replies: {faults}" + (f" (the first: {told['first_error']})" if told["first_error"] else "")
        )
    return text + (accuracy_lines(told["accuracy"], names) if "accuracy" in told else [])


def _figure(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"
