"""Every axiom finds the rule that breaks it, and leaves alone the one that holds it."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest

from simulator.axioms import AXIOMS, Subject
from simulator.axioms.ballots import cast, opinions
from simulator.axioms.profiles import all_small, random_samples, worst_cases
from simulator.mediators.base import Mediator, ScoreMediator, ranked_outcome
from simulator.mediators.borda import Borda
from simulator.outcome import Trace
from simulator.profile import Profile

SAMPLES = [*worst_cases("ranking"), *all_small("ranking", 3, 2), *random_samples("ranking", 60, 5)]


def broken(rule, axiom, samples=SAMPLES, most=10):
    """The first counterexample to an axiom."""
    subject = Subject(rule)
    found = (AXIOMS[axiom].search(subject, sample.profile, sample.k, most) for sample in samples)
    return next((example for example in found if example is not None), None)


@dataclass(frozen=True)
class Custom(Mediator):
    """A rule whose scores are any function of the profile."""

    name: ClassVar[str] = "custom"
    rule: ClassVar[str] = "any"

    def scores(self, profile: Profile):
        raise NotImplementedError

    def mediate(self, profile, memory=None, *, k=1, priority=None, seed=0):
        return ranked_outcome(self, profile, self.scores(profile).astype(float), Trace(self.rule), k, priority)


class Dictator(Custom):
    """The first ballot that says anything decides."""

    def scores(self, profile):
        said = np.flatnonzero(cast(profile))
        return opinions(profile)[said[0]] if len(said) else np.zeros(profile.m)


class FirstItemBonus(Custom):
    """Borda's count, and half a point for the first item where anybody says anything."""

    def scores(self, profile):
        bonus = np.zeros(profile.m)
        bonus[0] = 0.5 * cast(profile).any()
        return Borda().scores(profile) + bonus


class NamedBonus(Custom):
    """Borda's count, and half a point for the item called a where anybody says anything."""

    def scores(self, profile):
        bonus = np.array([0.5 * (item == "a") for item in profile.items]) * cast(profile).any()
        return Borda().scores(profile) + bonus


class Upside(Custom):
    """Borda's count upside down."""

    def scores(self, profile):
        return -Borda().scores(profile)


class Lowest(Custom):
    """The item that is ranked last by most weight."""

    def scores(self, profile):
        return (profile.weights[:, None] * (opinions(profile) <= opinions(profile).min(axis=1, keepdims=True))).sum(0)


class Everyone(Custom):
    """All items tie."""

    def scores(self, profile):
        return np.zeros(profile.m)


class Heads(Custom):
    """Borda's count of ballots, whatever their weight."""

    def scores(self, profile):
        said = cast(profile)
        return Borda().scores(Profile(profile.items, profile.ranks, said.astype(float)))


class Largest(Custom):
    """The top of the heaviest ballot; one ballot more of the same weight makes it the bottom."""

    def scores(self, profile):
        said = cast(profile)
        if not said.any():
            return np.zeros(profile.m)
        weights = np.where(said, profile.weights, 0)
        heavy = opinions(profile)[weights == weights.max()]
        return heavy[0] if len(heavy) == 1 else -heavy.sum(axis=0)


class Quorum(Custom):
    """Borda's count from a weight of three, below that all items tie."""

    def scores(self, profile):
        return Borda().scores(profile) * (profile.weights[cast(profile)].sum() >= 3)


@pytest.mark.parametrize(
    ("axiom", "rule"),
    [
        ("anonymous", Dictator()),
        ("neutral", FirstItemBonus()),
        ("neutral", NamedBonus()),
        ("resolute", Borda()),
        ("condorcet", Borda()),
        ("condorcet", Everyone()),
        ("condorcet loser", Upside()),
        ("monotone", Upside()),
        ("pareto", Everyone()),
        ("pareto", Lowest()),
        ("participation", Largest()),
        ("optimists' participation", Quorum()),
        ("strategyproof", Borda()),
        ("unanimous", Upside()),
        ("homogeneous", Quorum()),
        ("reinforcing", Quorum()),
        ("weights count ballots", Heads()),
    ],
)
def test_a_rule_that_breaks_an_axiom_is_found(axiom, rule):
    example = broken(rule, axiom)
    assert example is not None
    assert example.axiom == axiom
    assert example.sentence.endswith(".")


@pytest.mark.parametrize(
    ("axiom", "rule"),
    [
        *((axiom, Borda()) for axiom in ("anonymous", "neutral", "monotone", "pareto", "participation", "reinforcing")),
        *((axiom, Borda()) for axiom in ("condorcet loser", "unanimous", "homogeneous", "optimists' participation")),
        *((axiom, Dictator()) for axiom in ("strategyproof", "neutral", "monotone", "unanimous", "homogeneous")),
        *((axiom, Everyone()) for axiom in ("anonymous", "neutral", "participation", "strategyproof", "monotone")),
        *((axiom.name, Borda()) for axiom in AXIOMS.values() if axiom.part == "contract"),
    ],
)
def test_a_rule_that_holds_an_axiom_is_left_alone(axiom, rule):
    assert broken(rule, axiom) is None


def test_what_everyone_claims_is_about_an_axiom_or_explained():
    from simulator.mediators.base import PROPERTIES

    assert set(PROPERTIES) <= {axiom.name for axiom in AXIOMS.values() if axiom.part == "property"}


@pytest.mark.parametrize("bad", [np.nan, "missing item", "two winners", "none", "slate", "label", "sums", "moody"])
def test_nonsense_is_no_sound_outcome(bad):
    @dataclass(frozen=True)
    class Nonsense(ScoreMediator):
        name: ClassVar[str] = "nonsense"
        rule: ClassVar[str] = "any"
        asked: ClassVar[list[int]] = []

        def points(self, profile):
            return np.ones(profile.ranks.shape)

        def mediate(self, profile, memory=None, *, k=1, priority=None, seed=0):
            from dataclasses import replace

            self.asked.append(1)
            right = super().mediate(profile, memory, k=k, priority=priority, seed=seed)
            scores = right.score_values + profile.n
            match bad:
                case "missing item":
                    return replace(right, order=right.order[:-1])
                case "two winners":
                    return replace(right, tied_winners=(0, 0))
                case "none":
                    return None
                case "slate":
                    return replace(right, slate_indices=(0,) * (k + 1))
                case "label":
                    return replace(right, mediator="borda")
                case "sums":
                    return replace(right, score_values=scores + 1)
                case "moody":
                    return replace(
                        right,
                        tier_indices=((0,), tuple(range(1, profile.m))) if len(self.asked) % 2 else right.tier_indices,
                    )
            return replace(right, score_values=np.full(profile.m, bad))

    example = broken(Nonsense(), "sound outcome", [s for s in SAMPLES if s.profile.m > 1])
    assert example is not None
