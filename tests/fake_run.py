"""A made-up run in the shape that the world records: for tests of what is written, read, drawn and reported."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy.stats import kendalltau

from simulator.faults import FAULTS, REPAIRS
from simulator.records import Event, Recorder, RoundRecord, Row
from simulator.runs import MemoryRecorder, Run

STAKEHOLDERS = (
    "tourist", "platform", "local businesses", "residents and city",
    "hotel owners", "night-train operator", "museum association", "regional airport",
)  # fmt: skip
CITIES = (
    "Aalborg", "Athens", "Barcelona", "Bergen", "Berlin", "Bologna", "Bordeaux", "Brussels", "Cagliari", "Copenhagen",
    "Cork", "Dresden", "Dublin", "Geneva", "Genoa", "Ghent", "Hamburg", "Helsinki", "Kraków", "Lille", "Lisbon",
    "Ljubljana", "London", "Lyon", "Madrid", "Malmö", "Milan", "Munich", "Naples", "Nantes", "Oslo", "Palermo",
    "Paris", "Porto", "Prague", "Riga", "Rome", "Rotterdam", "Salzburg", "Sarajevo", "Seville", "Sofia", "Split",
    "Stockholm", "Tallinn", "Toulouse", "Turin", "Valencia", "Vienna", "Zurich",
)  # fmt: skip
ATTRIBUTES = ("budget", "season", "walkability", "air_quality")
SCRIPT = "<script>alert('x')</script>"
HOSTILE_STAKEHOLDERS = (SCRIPT, "مطعم الميناء", "🏨 hotel $x$ & co", "n" * 10_000)
HOSTILE_ITEMS = (
    f"city {SCRIPT}",
    "עיר הנמל",
    "🗼🌍",
    "$\\frac{1}{0}$",
    '"; drop',
    "c" * 10_000,
    "市",
    "a\u202eb",
    "=1+1",
    "NA",
)

MANIFEST = {
    "scenario": "tourism",
    "title": "A week in Europe",
    "seed": 7,
    "model": "embedded",
    "rounds_asked": 8,
    "versions": {"python": "3.11.7", "fair-agents": "0.1.0"},
    "cost_usd": 0.0,
}


def fake_records(
    rounds: int = 8,
    stakeholders: int = 4,
    items: int = 20,
    *,
    seed: int = 0,
    hostile: bool = False,
    argument: str = "It is quiet in autumn and the budget allows it.",
    model: bool = True,
) -> Iterator[RoundRecord]:
    """Rounds of at most two turns under Borda with k = 3; the same arguments give the same records."""
    draw = np.random.default_rng(seed)
    names = HOSTILE_STAKEHOLDERS[:stakeholders] if hostile else STAKEHOLDERS[:stakeholders]
    pool = HOSTILE_ITEMS if hostile else CITIES
    quality = draw.random((len(ATTRIBUTES), len(pool)))
    weights = draw.normal(size=(len(names), len(ATTRIBUTES)))
    crowding = np.zeros(len(pool))
    total, dry, longest = np.zeros(len(names)), np.zeros(len(names)), np.zeros(len(names))
    for number in range(1, rounds + 1):
        drawn = draw.permutation(len(pool))[:items]
        ids = [pool[i] for i in drawn]
        normed = weights / np.abs(weights).sum(axis=1, keepdims=True)
        true = 0.5 + normed @ (quality[:, drawn] - 0.5) - 0.15 * crowding[drawn]
        request = f"q{(number - 1) % 6 + 1}"
        events: list[Event] = [_request(number, request, ids)]
        agreed, turn = False, 0
        while not agreed and turn < 2:
            turn += 1
            said = true + draw.normal(scale=0.08 / turn, size=true.shape)
            events += [
                _proposal(number, turn, name, ids, said[i], normed[i], argument, model) for i, name in enumerate(names)
            ]
            points = np.argsort(np.argsort(said, axis=1), axis=1)
            scores = points.sum(axis=0)
            order = np.argsort(-scores, kind="stable")
            events.append(_outcome(number, turn, names, ids, points, order))
            happy = true[:, order[:3]].mean(axis=1) > np.quantile(true, 0.6, axis=1)
            agreed = bool(happy.mean() >= 0.75)
            events += [_response(number, turn, name, bool(ok), argument) for name, ok in zip(names, happy, strict=True)]
        slate = order[:3]
        crowding *= 0.8
        crowding[drawn[slate]] += 1
        events.append({"event": "evolve", "round": number, "month": number % 12 + 1,
                       "arrays": {"crowding": {ids[i]: float(crowding[drawn[i]]) for i in slate}}})  # fmt: skip
        got = true[:, slate].mean(axis=1)
        total += got
        served = (points >= len(ids) - 3)[:, slate].any(axis=1)
        dry = np.where(served, 0, dry + 1)
        longest = np.maximum(longest, dry)
        tau = [float(kendalltau(-order.argsort(), said[i]).statistic) for i in range(len(names))]
        rows = [
            _stakeholder_row(number, name, got[i], total[i], tau[i], longest[i], bool(happy[i]), model, turn)
            for i, name in enumerate(names)
        ]
        yield RoundRecord(
            number,
            _round_row(number, request, turn, agreed, [ids[i] for i in slate], got, total / number, rows),
            rows,
            events,
            [
                {"round": number, "stakeholder": "", "seconds": 1.5 + float(draw.random())},
                *({"round": number, "stakeholder": name, "seconds": float(draw.gamma(3, 0.3))} for name in names),
            ],
        )


def play(recorder: Recorder, records: Iterator[RoundRecord]) -> None:
    """Give records to a recorder as the world does: every event first, then the round."""
    for record in records:
        for event in record.events:
            recorder.event(event)
        recorder.round(record)


def fake_run(rounds: int = 8, stakeholders: int = 4, items: int = 20, **options: Any) -> Run:
    """A finished made-up run, kept in memory."""
    recorder = MemoryRecorder()
    play(recorder, fake_records(rounds, stakeholders, items, **options))
    return recorder.run({"status": "success", "error": None, **MANIFEST, "rounds_asked": rounds, "rounds_done": rounds})


def _request(number: int, request: str, ids: list[str]) -> Event:
    return {
        "event": "request",
        "round": number,
        "request": request,
        "text": "A long weekend in a quiet city with good food, not too dear, in October.",
        "wish": "I want low budget and good season.",
        "filters": {"budget": "low", "month": "October"},
        "month": number % 12 + 1,
        "unspoken": ["nightlife"],
        "candidates": ids,
    }


def _proposal(
    number: int, turn: int, name: str, ids: list[str], said: Any, weights: Any, argument: str, model: bool
) -> Event:
    order = np.argsort(-said, kind="stable")
    return {
        "event": "proposal",
        "round": number,
        "turn": turn,
        "stakeholder": name,
        "ranking": [[ids[i]] for i in order],
        "utilities": dict(zip(ids, said.tolist(), strict=True)),
        "argument": argument,
        "faults": {"omissions": 2} if number == 2 and turn == 1 else {},
        "calls": int(model),
        "prompt_tokens": 310 * model,
        "completion_tokens": 42 * model,
        "details": {
            "way": "weigh",
            "weights": dict(zip(ATTRIBUTES, weights.tolist(), strict=True)),
            "exchanges": [{"prompt": "Which of these matters most?", "reply": "The budget."}] if model else [],
        },
    }


def _outcome(number: int, turn: int, names: tuple[str, ...], ids: list[str], points: Any, order: Any) -> Event:
    scores = points.sum(axis=0)
    tiers: list[list[str]] = []
    for place, i in enumerate(order):
        if place and scores[i] == scores[order[place - 1]]:
            tiers[-1].append(ids[i])
        else:
            tiers.append([ids[i]])
    return {
        "event": "outcome",
        "round": number,
        "turn": turn,
        "mediator": "borda",
        "tiers": tiers,
        "slate": [ids[i] for i in order[:3]],
        "scores": {item: float(score) for item, score in zip(ids, scores, strict=True)},
        "winners": tiers[0],
        "notes": [],
        "trace": {
            "rule": "every ballot gives an item one point for each item that it ranks below it",
            "contributions": {
                name: {item: float(value) for item, value in zip(ids, points[i], strict=True)}
                for i, name in enumerate(names)
            },
            "steps": [],
        },
        "justification": f"{ids[order[0]]} comes first with {scores[order[0]]} points.",
    }


def _response(number: int, turn: int, name: str, accepts: bool, argument: str) -> Event:
    return {
        "event": "response",
        "round": number,
        "turn": turn,
        "stakeholder": name,
        "verdict": "accept" if accepts else "revise",
        "argument": argument,
        "details": {},
    }


def _stakeholder_row(
    number: int, name: str, got: float, total: float, tau: float, dry: float, accepted: bool, model: bool, turns: int
) -> Row:
    return {
        "round": number,
        "stakeholder": name,
        "utility": float(got),
        "cumulative_utility": float(total),
        "kendall_tau": tau,
        "alignment": 0.8 + 0.1 * float(got),
        "alignment_equal_weights": 0.6,
        "dry_spell": float(dry),
        "accepted": accepted,
        **dict.fromkeys(FAULTS, 0),
        **dict.fromkeys(REPAIRS, 0),
        "omissions": 2 * (number == 2),
        "calls": turns * model,
        "prompt_tokens": 310 * turns * model,
        "completion_tokens": 42 * turns * model,
    }


def _round_row(
    number: int, request: str, turns: int, agreed: bool, slate: list[str], got: Any, mean: Any, rows: list[Row]
) -> Row:
    return {
        "round": number,
        "request": request,
        "mediator": "borda",
        "turns": turns,
        "agreed": agreed,
        "ending": "agreement" if agreed else "limit",
        "slate": "|".join(slate),
        "utilitarian": float(got.mean()),
        "nash_welfare": _geometric(got),
        "minimum": float(got.min()),
        "gini": _gini(got),
        "cumulative_utilitarian": float(mean.mean()),
        "cumulative_nash_welfare": _geometric(mean),
        "cumulative_minimum": float(mean.min()),
        "cumulative_gini": _gini(mean),
        "missing_values": 0,
        "prompt_tokens": sum(row["prompt_tokens"] for row in rows),
        "completion_tokens": sum(row["completion_tokens"] for row in rows),
    }


def _geometric(values: Any) -> float:
    return float(np.exp(np.log(np.maximum(values, 1e-12)).mean()))


def _gini(values: Any) -> float:
    return float(np.abs(values[:, None] - values).mean() / (2 * values.mean()))
