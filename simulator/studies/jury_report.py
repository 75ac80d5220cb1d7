"""A jury's verdicts in tables and as JSON."""

from __future__ import annotations

from typing import Any

import numpy as np

from simulator.alignment.serving import RATINGS
from simulator.llmfosa.personas.reckoning import accuracy, agreement, wilson
from simulator.profile import Ints
from simulator.studies.jury import Jury, word

Row = dict[str, Any]


def facts(result: Jury) -> list[str]:
    """What was judged by whom, at what cost, and how far the jurors agree."""
    outcomes, found = result.outcomes, result.found
    rounds, parties = len(np.unique(outcomes.rounds)), len(dict.fromkeys(outcomes.stakeholders))
    abstained = int((found.labels < 0).sum())
    faults = ", ".join(f"{times} {kind.replace('_', ' ')}" for kind, times in result.faults.items())
    tokens = result.prompt_tokens + result.completion_tokens
    lines = [
        f"{_some(len(found.personas), 'juror')} ({found.origin}) on {_some(len(outcomes.cases), 'outcome')}: "
        f"{_some(rounds, 'round')}, {_some(parties, 'stakeholder')}",
        f"{_some(found.labels.size - abstained, 'verdict')}, {_some(abstained, 'abstention')}"
        f"{f' (unusable replies: {faults})' if faults else ''}; "
        f"{_some(result.calls, 'call')}, {_some(tokens, 'token')}, {result.seconds:.1f} s",
    ]
    agreed = agreement(found)
    lines.append(
        f"agreement of the jurors: Fleiss' kappa {_number(agreed['fleiss_kappa'])}, "
        f"Krippendorff's alpha {_number(agreed['krippendorff_alpha'])} (0 is chance)"
    )
    if result.crowd is not None:
        lines.append(
            "Dawid-Skene's estimate of the confusion matrices is off by "
            f"{_number(result.estimate_error)} an entry, on average"
        )
    untold = int((outcomes.stated < 0).sum())
    if untold:
        lines.append(f"of {_some(untold, 'outcome')} the stated objective says nothing")
    if outcomes.unlike:
        lines.append(f"{_some(outcomes.unlike, 'logged utility', 'logged utilities')} do not follow from the objective")
    return lines


def stakeholder_rows(result: Jury) -> list[Row]:
    """Per stakeholder: the ratings of its outcomes, and how often both are the same."""
    names = np.array(result.outcomes.stakeholders, dtype=object)
    rows = []
    for name in dict.fromkeys(result.outcomes.stakeholders):
        own = names == name
        stated, rated = result.outcomes.stated[own], result.ratings[own]
        both = (stated >= 0) & (rated >= 0)
        standings = result.outcomes.standing[own]
        known = standings[~np.isnan(standings)]
        rows.append(
            {
                "stakeholder": name,
                "standing": _number(float(known.mean()) if len(known) else None),
                "stated": _shares(stated),
                "jury": _shares(rated),
                "the same": f"{int((stated[both] == rated[both]).sum())} of {int(both.sum())}",
            }
        )
    return rows


def juror_rows(result: Jury) -> list[Row]:
    """Per juror, for the vote, for Dawid-Skene's rating and for the most frequent rating: how often it is right."""
    report = accuracy(result.found, result.outcomes.stated)
    rows = [
        _accuracy_row(juror.name, report["personas"][juror.name], result.order[place])
        for place, juror in enumerate(result.found.personas)
    ]
    if result.crowd is not None:
        rows.append(_accuracy_row("majority vote", report["majority_vote"], None))
        rows.append(_accuracy_row("Dawid-Skene", _crowd_accuracy(result), result.order[-1]))
    largest = report["largest_class"]
    if largest["share"] is not None:
        always = f"always {largest['value']}"
        rows.append({"juror": always, "right": "", "accuracy": _number(largest["share"]), "95 %": "", "tau": ""})
    return rows


def confusion_rows(result: Jury) -> list[Row]:
    """Three rows a juror: of what the objective rates so, the shares that it rated no, partly and yes."""
    rows = []
    for place, juror in enumerate(result.found.personas):
        for code, stated in enumerate(RATINGS):
            measured = result.measured[place, code]
            row: Row = {"juror": juror.name if code == 0 else "", "stated": stated}
            row["verdicts"] = int(result.counts[place, code].sum())
            row.update({said: _number(share) for said, share in zip(RATINGS, measured.tolist(), strict=True)})
            if result.crowd is not None:
                estimated = result.crowd.confusion[place, code].tolist()
                row["|"] = "|"
                row.update({f"{said} ": _number(share) for said, share in zip(RATINGS, estimated, strict=True)})
            rows.append(row)
    return rows


def to_json(result: Jury) -> dict[str, Any]:
    """Everything, with nan as None."""
    found, outcomes = result.found, result.outcomes
    report = accuracy(found, outcomes.stated)
    return {
        "model": found.origin,
        "ratings": list(RATINGS),
        "calls": result.calls,
        "prompt_tokens": result.prompt_tokens,
        "completion_tokens": result.completion_tokens,
        "seconds": round(result.seconds, 3),
        "faults": dict(result.faults),
        "agreement": agreement(found),
        "baseline": report["largest_class"],
        "majority_vote": report["majority_vote"],
        "dawid_skene": None
        if result.crowd is None
        else {
            **_crowd_accuracy(result),
            "tau": _plain(result.order[-1]),
            "prior": np.round(result.crowd.prior, 6).tolist(),
            "confusion_error": _plain(result.estimate_error),
        },
        "jurors": [
            {
                "juror": juror.name,
                "description": juror.description,
                **report["personas"][juror.name],
                "abstentions": int((found.labels[:, place] < 0).sum()),
                "tau": _plain(result.order[place]),
                "counts": result.counts[place].tolist(),
                "measured": [[_plain(share) for share in row] for row in result.measured[place].tolist()],
                "estimated": None if result.crowd is None else np.round(result.crowd.confusion[place], 6).tolist(),
            }
            for place, juror in enumerate(found.personas)
        ],
        "cases": [
            {
                "round": int(outcomes.rounds[row]),
                "stakeholder": outcomes.stakeholders[row],
                "goal": each.goal,
                "standing": _plain(outcomes.standing[row]),
                "stated": word(outcomes.stated[row]),
                "jury": word(result.ratings[row]),
                "posterior": None if result.crowd is None else np.round(result.crowd.posterior[row], 6).tolist(),
                "verdicts": [
                    {
                        "juror": juror.name,
                        "rating": word(found.labels[row, place]),
                        "confidence": _plain(found.confidence[row, place]),
                        "reason": found.rationales[row][place],
                    }
                    for place, juror in enumerate(found.personas)
                ],
            }
            for row, each in enumerate(outcomes.cases)
        ],
    }


def _crowd_accuracy(result: Jury) -> dict[str, Any]:
    both = (result.outcomes.stated >= 0) & (result.ratings >= 0)
    total, right = int(both.sum()), int((result.ratings == result.outcomes.stated)[both].sum())
    low, high = wilson(right, total)
    return {
        "answered": total,
        "right": right,
        "accuracy": round(right / total, 4) if total else None,
        "interval": [round(low, 4), round(high, 4)],
    }


def _accuracy_row(name: str, row: dict[str, Any], tau: float | None) -> Row:
    low, high = row["interval"]
    return {
        "juror": name,
        "right": f"{row['right']} of {row['answered']}",
        "accuracy": _number(row["accuracy"]),
        "95 %": f"{low:.2f} to {high:.2f}" if row["answered"] else "-",
        "tau": "" if tau is None else _number(tau),
    }


def _shares(codes: Ints) -> str:
    return "/".join(str(int((codes == code).sum())) for code in range(len(RATINGS)))


def _some(count: int, thing: str, things: str = "") -> str:
    return f"{count} {thing if count == 1 else things or f'{thing}s'}"


def _number(value: float | None) -> str:
    return "-" if value is None or value != value else f"{value:.2f}"


def _plain(value: float) -> float | None:
    return None if value != value else round(float(value), 6)
