"""What the manifest of an inference tells people: who was asked, what it cost, how far the answers can be trusted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from simulator.llmfosa.annotations import Annotations
from simulator.llmfosa.personas.asking import Asker
from simulator.llmfosa.personas.editor import Edited
from simulator.llmfosa.personas.reckoning import accuracy, agreement

if TYPE_CHECKING:
    from simulator.models import Model


def entries_at_start(
    data: str,
    attribute: str,
    values: tuple[str, ...],
    permission: str,
    llm: Model,
    purpose: str,
    cache: Path | str | None,
) -> dict[str, Any]:
    """What is known before the first question."""
    return {
        "status": "running",
        "started": datetime.now(UTC).isoformat(timespec="seconds"),
        "permission": " ".join(permission.split()),
        "data": data,
        "attribute": attribute,
        "values": list(values),
        "origin": llm.name,
        "purpose": purpose,
        "caches": [] if cache is None else [str(Path(cache).expanduser().absolute())],
    }


def about(
    found: Annotations,
    truth: NDArray[np.int64],
    asker: Asker,
    cast: Edited,
    temperatures: NDArray[np.float64] | None,
    settings: Mapping[str, Any],
    spent: Mapping[str, float],
    spared: Any,
    seed: int,
) -> dict[str, Any]:
    """What is known after the last answer: cost, faults, agreement, and accuracy where the truth is known.

    Tokens are those of all answers, whether this run asked for them or an earlier one; seconds are this run's.
    """
    answers = list(asker.answers.values())
    faults: dict[str, int] = {}
    for answer in answers:
        for fault, times in answer.faults.items():
            faults[fault] = faults.get(fault, 0) + times
    entries: dict[str, Any] = {
        **settings,
        "status": "done",
        "users": len(found.users),
        "editor": {
            "written_by_model": cast.written,
            "refused": cast.refused,
            "diversity": {key: round(value, 4) for key, value in asdict(cast.diversity).items()},
        },
        "answers": {
            "all": len(answers),
            "new_in_this_run": asker.asked,
            "known_before": len(answers) - asker.asked,
        },
        "cost": {
            "calls": sum(answer.calls for answer in answers),
            "prompt_tokens": sum(answer.prompt_tokens for answer in answers),
            "completion_tokens": sum(answer.completion_tokens for answer in answers),
            "from_cache": None if spared is None else asdict(spared),
            **{name: round(seconds, 1) for name, seconds in spent.items()},
        },
        "abstentions": int((found.labels < 0).sum()),
        "repairs": sum(bool(answer.faults) and answer.value is not None for answer in answers),
        "faults": dict(sorted(faults.items())),
        "first_error": asker.first_error,
        "agreement": agreement(found),
    }
    if temperatures is not None:
        entries["temperatures"] = [round(float(t), 4) if np.isfinite(t) else None for t in temperatures]
    if (truth >= 0).any():
        entries["accuracy"] = accuracy(found, truth, seed)
    return entries
