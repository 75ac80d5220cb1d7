"""All that decides a training besides data and seed, with the terms that can be switched off by name."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any, get_args, get_type_hints

from simulator.llmfosa.training.options import FairTraining, Pretraining, SensitiveTraining

TERMS: Mapping[str, str] = {
    "personas": "only the first persona is heard",
    "confusion": "the majority vote is taken for the truth",
    "sensitive": "no classifier of s: the attribute is what the annotators' crowd model says",
    "similarity": "no L_sim between confusion matrices of personas alike",
    "rationale": "no L_fine with the rationales",
    "summary": "L_fine hears the personas' rationales instead of the summary",
    "independence": "no I(S;P): preferences keep what they know of the attribute",
    "conditional": "no I(P;R|S) beside the ranking loss",
}

PRESETS: Mapping[str, Mapping[str, Any]] = {
    "ml-100k": {
        "pretraining.batch": 4096,
        "pretraining.graph_batch": 8192,
        "fair.batch": 2048,
        "fair.users": 512,
        "fair.inner": 10,
    },
    "synthetic": {
        "pretraining.batch": 512,
        "pretraining.graph_batch": 1024,
        "fair.batch": 512,
        "pretraining.epochs": 30,
        "fair.users": 256,
        "sensitive.batch": 128,
    },
}


@dataclass(frozen=True)
class Plan:
    """Options of the three stages, and the terms that are off.

    Attributes:
        pretraining: Stage 0.
        sensitive: Stage 1.
        fair: Stage 2.
        off: Names of `TERMS`.
    """

    pretraining: Pretraining = field(default_factory=Pretraining)
    sensitive: SensitiveTraining = field(default_factory=SensitiveTraining)
    fair: FairTraining = field(default_factory=FairTraining)
    off: tuple[str, ...] = ()

    def without(self, terms: Iterable[str]) -> Plan:
        """The same with more terms off.

        Raises:
            ValueError: There is no such term.
        """
        names = sorted({*self.off, *terms})
        for name in names:
            if name not in TERMS:
                raise ValueError(f"no term {name!r}{_nearest(name, list(TERMS))}; the terms are {', '.join(TERMS)}")
        return replace(self, off=tuple(names))

    def weighing(self, fairness: float) -> Plan:
        """The same with another weight of fairness."""
        return replace(self, fair=replace(self.fair, fairness=fairness))

    def changed(self, values: Mapping[str, Any]) -> Plan:
        """The same with options of other values, such as `{"fair.epochs": 3}`.

        Raises:
            ValueError: There is no such option, or its value does not fit.
        """
        parts: dict[str, dict[str, Any]] = {}
        for key, value in values.items():
            part, _, name = key.partition(".")
            parts.setdefault(part, {})[name] = _fitting(key, value)
        return replace(self, **{part: replace(getattr(self, part), **changes) for part, changes in parts.items()})


def plan_of(preset: str, settings: Mapping[str, Any] | None = None, off: Sequence[str] = ()) -> Plan:
    """The plan for a data set, with settings of one's own and terms switched off."""
    return Plan().changed(PRESETS.get(preset, {})).changed(settings or {}).without(off)


_PARTS = {"pretraining": Pretraining, "sensitive": SensitiveTraining, "fair": FairTraining}
_POSITIVE = (
    "batch",
    "graph_batch",
    "epochs",
    "every",
    "patience",
    "dim",
    "layers",
    "width",
    "hidden",
    "users",
    "neighbours",
)

_ABOVE_ZERO = ("temperature", "smallest")
_MOST = 10**6


def _fitting(key: str, value: Any) -> Any:
    """The value in the option's type."""
    known = [f"{part}.{one.name}" for part, options in _PARTS.items() for one in fields(options)]
    if key not in known:
        raise ValueError(f"no option {key!r}{_nearest(key, known)}")
    part, _, name = key.partition(".")
    wanted = get_type_hints(_PARTS[part])[name]
    if choices := get_args(wanted):
        if value not in choices:
            raise ValueError(f"{key} is {value!r}; it should be one of {', '.join(choices)}")
        return value
    if isinstance(value, bool) or not isinstance(value, int | float) or value != value:
        raise ValueError(f"{key} is {value!r}; it should be a number")
    lowest = 1 if name in _POSITIVE else 0
    if not lowest <= value < float("inf"):
        raise ValueError(f"{key} is {value}; it should be at least {lowest}, and finite")
    if name in _ABOVE_ZERO and not value:
        raise ValueError(f"{key} is {value}; it should be more than 0")
    if wanted is int and value != int(value):
        raise ValueError(f"{key} is {value}; it should be a whole number")
    if wanted is int and value > _MOST:
        raise ValueError(f"{key} is {value}; it should be at most {_MOST}")
    if name in ("dropout", "held_out", "smallest") and (value > 1 or (name != "smallest" and value == 1)):
        raise ValueError(f"{key} is {value}; it is a share")
    return wanted(value)


def _nearest(name: str, known: Sequence[str]) -> str:
    close = difflib.get_close_matches(name, known, n=1)
    return f"; did you mean {close[0]!r}?" if close else ""
