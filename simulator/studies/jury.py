"""What a jury of personas makes of the outcomes of a run, beside what the stated objectives say of them."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from simulator.alignment.jury import judge
from simulator.alignment.serving import RATINGS
from simulator.inputs.yamlfile import InputError, Problem
from simulator.llmfosa.annotations import Annotations
from simulator.metrics.kendall_tau import tau_b
from simulator.profile import Floats, Ints
from simulator.records import Row
from simulator.studies.jury_cases import Outcomes

if TYPE_CHECKING:
    from pathlib import Path

    from simulator.llmfosa.crowds import Crowd
    from simulator.models.base import Model

JURORS = 5
AT_ONCE = 8
_WORTH = np.linspace(0.0, 1.0, len(RATINGS))


@dataclass(frozen=True, eq=False)
class Jury:
    """Verdicts and what they are worth.

    Attributes:
        outcomes: what was judged.
        found: the verdicts; users are the cases.
        crowd: Dawid and Skene's fit, which knows the verdicts alone; None for one juror or without any verdict.
        calls, prompt_tokens, completion_tokens: what was asked of the model, of a cache included.
        faults: replies that could not be used, by kind.
        seconds: how long it took.
    """

    outcomes: Outcomes
    found: Annotations
    crowd: Crowd | None
    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    faults: Mapping[str, int] = field(default_factory=dict)
    seconds: float = 0.0

    @cached_property
    def counts(self) -> Ints:
        """`(P, A, A)` how often juror j said v of a case that the stated objective rates a, [j, a, v]."""
        labels, stated = self.found.labels, self.outcomes.stated
        table = np.zeros((labels.shape[1], len(RATINGS), len(RATINGS)), dtype=np.int64)
        rows, columns = np.nonzero((labels >= 0) & (stated >= 0)[:, None])
        np.add.at(table, (columns, stated[rows], labels[rows, columns]), 1)
        return table

    @cached_property
    def measured(self) -> Floats:
        """`(P, A, A)` the jurors' confusion matrices against the stated objectives; nan rows without a case."""
        totals = self.counts.sum(axis=2, keepdims=True)
        return np.where(totals > 0, self.counts / np.maximum(totals, 1), np.nan)

    @cached_property
    def estimate_error(self) -> float:
        """Mean absolute difference of estimated and measured confusion, over the rows that have cases; nan if none."""
        known = ~np.isnan(self.measured)
        if self.crowd is None or not known.any():
            return float("nan")
        return float(np.abs(self.crowd.confusion - self.measured)[known].mean())

    @cached_property
    def ratings(self) -> Ints:
        """`(n,)` the jury's rating: the likeliest by the crowd model, a lone juror's own; -1 where nobody has one."""
        if self.crowd is None:
            return np.asarray(self.found.labels[:, 0])
        heard = (self.found.labels >= 0).any(axis=1)
        return np.where(heard, self.crowd.posterior.argmax(axis=1), -1)

    @cached_property
    def order(self) -> Floats:
        """`(P + 1,)` Kendall's tau-b of each juror's, and last the jury's, expected ratings with the standings."""
        worth = self._worth()
        taus = [_tau(column, self.outcomes.standing) for column in worth.T]
        return np.array([*taus, _tau(self._jury_worth(), self.outcomes.standing)])

    def _worth(self) -> Floats:
        """`(n, P)` expected rating on 0..1: by the probabilities where there are some, else of the label."""
        labels = self.found.labels
        given = np.where(labels >= 0, _WORTH[labels], np.nan)
        if self.found.probabilities is None:
            return given
        return np.asarray(self.found.probabilities @ _WORTH)

    def _jury_worth(self) -> Floats:
        if self.crowd is None:
            return self._worth()[:, 0]
        return np.where(self.ratings >= 0, self.crowd.posterior @ _WORTH, np.nan)


def jury(
    outcomes: Outcomes,
    model: Model,
    *,
    jurors: int = JURORS,
    reasons: bool = True,
    at_once: int = AT_ONCE,
    cache: Path | str | None = None,
    progress: Callable[[str, int, int], None] = lambda stage, done, total: None,
) -> Jury:
    """Have personas judge the outcomes.

    Args:
        outcomes: what is judged.
        model: speaks for the jurors; whoever made it closes it.
        jurors: how many of the shipped personas judge.
        reasons: whether a model whose probabilities are read also explains itself.
        at_once: questions that are with the model at the same time; the verdicts do not depend on it.
        cache: a file of model replies; what it has is not asked again, what it has not is added to it.
        progress: is told the stage, how many of its answers are there, and how many it has.

    Raises:
        InputError: there are not so many jurors, or the cache cannot be used.
    """
    from simulator.llmfosa.personas.asking import Asker
    from simulator.llmfosa.personas.record import Record
    from simulator.llmfosa.personas.shipped import shipped_personas
    from simulator.models.relays import Relays
    from simulator.rounds.loop import run as run_on_loop

    seats = shipped_personas()
    if not 1 <= jurors <= len(seats):
        raise InputError([Problem(f"--jurors {jurors}", f"must be from 1 to {len(seats)}")])
    began = time.monotonic()
    with Relays(cache) as relays, Record(None) as record:
        asker = Asker(relays(model), record, at_once=at_once, progress=progress)
        weighs = model.way == "weigh" and model.scorer is not None
        found = run_on_loop(judge(asker, seats[:jurors], outcomes.cases, weighs=weighs, reasons=reasons))
    answers = list(asker.answers.values())
    faults: Counter[str] = Counter()
    for answer in answers:
        faults.update(answer.faults)
    return Jury(
        outcomes,
        replace(found, origin=model.name),
        _crowd(found.labels),
        sum(answer.calls for answer in answers),
        sum(answer.prompt_tokens for answer in answers),
        sum(answer.completion_tokens for answer in answers),
        dict(sorted(faults.items())),
        time.monotonic() - began,
    )


def verdict_rows(result: Jury) -> list[Row]:
    """One row a case and juror, for a CSV file."""
    found, stated = result.found, result.outcomes.stated
    rows: list[Row] = []
    for row, identity in enumerate(zip(result.outcomes.rounds.tolist(), result.outcomes.stakeholders, strict=True)):
        for column, juror in enumerate(found.personas):
            rows.append(
                {
                    "round": identity[0],
                    "stakeholder": identity[1],
                    "juror": juror.name,
                    "rating": word(found.labels[row, column]),
                    "confidence": float(found.confidence[row, column]),
                    "reason": found.rationales[row][column],
                    "standing": float(result.outcomes.standing[row]),
                    "stated": word(stated[row]),
                    "jury": word(result.ratings[row]),
                }
            )
    return rows


def word(code: int) -> str | None:
    """The rating of a code; None for -1."""
    return RATINGS[code] if code >= 0 else None


def _crowd(labels: Ints) -> Crowd | None:
    from simulator.llmfosa.crowds import dawid_skene

    if labels.shape[1] < 2 or not (labels >= 0).any():
        return None
    return dawid_skene(labels, len(RATINGS))


def _tau(worth: Floats, standings: Floats) -> float:
    known = ~(np.isnan(worth) | np.isnan(standings))
    return float(tau_b(worth[known], standings[known])) if known.sum() > 1 else float("nan")
