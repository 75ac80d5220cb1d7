"""A rule put through all axioms on random, bad and all small profiles; each failure with a minimal counterexample."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from time import monotonic
from typing import Any

from simulator.axioms.base import Axiom
from simulator.axioms.counterexample import Counterexample
from simulator.axioms.known import AXIOMS
from simulator.axioms.profiles import Sample, all_small, random_samples, worst_cases
from simulator.axioms.shrink import shrunk
from simulator.axioms.subject import RuleFailed, Subject
from simulator.inputs.nearest import nearest
from simulator.mediators.base import Mediator, Need

KINDS: tuple[Need, ...] = ("ranking", "approval", "utility")
LONGEST_ANSWER = 10.0


@dataclass(frozen=True)
class Verdict:
    """What came of one axiom.

    Attributes:
        axiom: the axiom.
        claimed: whether the rule names it in its `properties`.
        random, worst: on how many random and on how many bad and small profiles it held, until it first failed.
        counterexample: how it fails; None if it held.
    """

    axiom: Axiom
    claimed: bool
    random: int
    worst: int
    counterexample: Counterexample | None

    @property
    def counts(self) -> bool:
        """Whether a failure makes the rule wrong: it is in the contract, or claimed."""
        return self.claimed or self.axiom.part == "contract"


@dataclass(frozen=True)
class Report:
    """What came of all axioms.

    Attributes:
        mediator: the rule with its parameters.
        verdicts: one for each axiom that was asked, in the order of `AXIOMS`; the axioms from the one during which the
            rule failed to decide are not asked.
        unknown: properties that it claims and that are no axiom here, with the nearest name.
    """

    mediator: str
    verdicts: tuple[Verdict, ...]
    unknown: tuple[str, ...]

    @property
    def holds(self) -> bool:
        """Whether the contract and all claims held."""
        return not self.unknown and not any(v.counts and v.counterexample is not None for v in self.verdicts)

    def to_json(self) -> dict[str, Any]:
        """The report as one JSON-able object."""
        return {
            "mediator": self.mediator,
            "holds": self.holds,
            "unknown_properties": list(self.unknown),
            "axioms": [
                {
                    "name": verdict.axiom.name,
                    "part": verdict.axiom.part,
                    "says": verdict.axiom.says,
                    "claimed": verdict.claimed,
                    "held": verdict.counterexample is None,
                    "random_profiles": verdict.random,
                    "worst_case_profiles": verdict.worst,
                    "counterexample": verdict.counterexample and verdict.counterexample.to_json(),
                }
                for verdict in self.verdicts
            ],
        }


def check_rule(
    mediator: Mediator,
    *,
    profiles: int = 200,
    ballots: int = 3,
    seed: int = 0,
    claims_only: bool = False,
    longest_answer: float = LONGEST_ANSWER,
) -> Report:
    """Put a rule through every axiom.

    Properties are asked on ballots of the kind that the rule reads, what belongs to the contract on ballots of every
    kind. The check ends where the rule raises, returns what is no outcome, or does not return.

    Args:
        mediator: the rule.
        profiles: how many random profiles of each kind of ballots.
        ballots: up to how many ballots all profiles of up to 3 items are asked.
        claims_only: leave out the axioms that it neither claims nor must hold.
        seed: of the random profiles.
        longest_answer: seconds after which an answer that does not come counts as none, and the check ends.
    """
    subject = Subject(mediator)
    claims = _listed(mediator.properties)
    axioms = [a for a in AXIOMS.values() if not claims_only or a.part == "contract" or a.name in claims]
    check = _Check(subject, claims, axioms, profiles, ballots, seed)
    worker = threading.Thread(target=check.run, daemon=True)  # a rule that hangs cannot be stopped, only left behind
    worker.start()
    while worker.is_alive():
        worker.join(0.2)
        asked = subject.asked
        if asked is not None and monotonic() - asked[2] > longest_answer and worker.is_alive():
            check.hangs(asked[0], asked[1], longest_answer)
            break
    return check.report()


def _listed(properties: Sequence[str]) -> Sequence[str]:
    """What a rule claims; ("anonymous") without a comma is one claim, not nine letters."""
    return (properties,) if isinstance(properties, str) else properties


class _Check:
    """The check of one rule, axiom by axiom; what is known so far can be read while it runs."""

    def __init__(
        self, subject: Subject, claims: Sequence[str], axioms: list[Axiom], count: int, ballots: int, seed: int
    ) -> None:
        self._subject = subject
        self._claims = claims
        self._axioms, self._count, self._ballots, self._seed = axioms, count, ballots, seed
        self._verdicts: dict[str, Verdict] = {}
        self._broken: Counterexample | None = None
        self._crash: BaseException | None = None

    def run(self) -> None:
        """Ask everything."""
        try:
            for axiom in self._axioms:
                if axiom.only_on in (None, self._subject.mediator.needs):
                    verdict = self._asked(axiom)
                    if self._broken is not None:
                        return
                    self._verdicts[axiom.name] = verdict
        except BaseException as error:
            self._crash = error

    def report(self) -> Report:
        """What came of it."""
        if self._crash is not None:
            raise self._crash
        if self._broken is not None:
            sound = AXIOMS["sound outcome"]
            held = self._verdicts.get(sound.name, Verdict(sound, False, 0, 0, None))
            self._verdicts[sound.name] = Verdict(sound, False, held.random, held.worst, self._broken)
        verdicts = [self._verdicts[name] for name in AXIOMS if name in self._verdicts]
        known = [axiom.name for axiom in AXIOMS.values() if axiom.part == "property"]
        unknown = [f"{claim!r}{nearest(claim, known)}" for claim in self._claims if claim not in known]
        return Report(self._subject.mediator.label, tuple(verdicts), tuple(unknown))

    def hangs(self, profile: Any, k: int, seconds: float) -> None:
        """Note that an answer does not come."""
        self._broken = Counterexample(
            "sound outcome", k, profile, None, f"It gives no answer within {seconds:g} seconds."
        )

    def _samples(self, axiom: Axiom) -> Iterator[tuple[bool, Sample]]:
        kinds = KINDS if axiom.any_ballots else (self._subject.mediator.needs,)
        for kind in kinds:
            small = all_small(kind, ballots=self._ballots) if kind == self._subject.mediator.needs else ()
            bad = chain(small, worst_cases(kind))
            yield from ((False, sample) for sample in bad)
            yield from ((True, sample) for sample in random_samples(kind, self._count, self._seed))

    def _asked(self, axiom: Axiom) -> Verdict:
        held = [0, 0]
        found = None
        for is_random, sample in self._samples(axiom):
            try:
                found = axiom.search(self._subject, sample.profile, sample.k, None)
                if found is not None:
                    found = shrunk(axiom, self._subject, found, sample.profile, sample.k)
                    break
            except RuleFailed as failed:  # the contract is broken, not the axiom
                sound = AXIOMS["sound outcome"]
                first = sound.search(self._subject, failed.profile, failed.k, None)
                assert first is not None, "the rule failed on this profile"
                self._broken = shrunk(sound, self._subject, first, failed.profile, failed.k)
                break
            held[is_random] += 1
        claimed = axiom.name in self._claims
        return Verdict(axiom, claimed, held[True], held[False], found)
