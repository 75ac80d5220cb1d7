"""What every mediator must hold, whatever it decides by: the contract of `simulator.mediators.base.Mediator`."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from simulator.axioms.ballots import cast, kind_of, opinions, part_of, profile_of, with_weights
from simulator.axioms.base import Axiom
from simulator.axioms.counterexample import Counterexample
from simulator.axioms.sameness import difference
from simulator.axioms.subject import RuleFailed, Subject, slates, winners
from simulator.justification import justify
from simulator.outcome import Outcome
from simulator.profile import Profile

SLACK = 1e-7


def sound_outcome(subject: Subject, profile: Profile, k: int, most: int | None = None) -> Counterexample | None:
    """The rule decides, and its outcome agrees with itself, its trace and its justification.

    The ranking holds every item once; a winner is in its first tier; the delivered slate is one of the winning slates;
    scores fall along the ranking; what ballots contribute adds up to the scores; the same question has the same answer.
    """
    try:
        outcome, again = subject.outcome(profile, k), subject.outcome_anew(profile, k)
    except RuleFailed as failed:
        return Counterexample("sound outcome", failed.k, failed.profile, None, f"{_capital(failed.reason)}.")
    fault = _disagreement(subject, profile, outcome)
    if fault is None and (changed := difference(subject, outcome, again)):
        fault = f"asked again, it decides otherwise: {changed}"
    if fault is None:
        try:
            justify(profile, outcome, subject.mediator, k=k)
        except Exception as error:
            fault = f"its outcome cannot be put in words: {type(error).__name__}: {error}"
    return (fault and Counterexample("sound outcome", k, profile, outcome, f"{_capital(fault)}.")) or None


def tie_order(subject: Subject, profile: Profile, k: int, most: int | None = None) -> Counterexample | None:
    """The tie rule orders what is delivered and never changes who wins: a tie is reported, not broken silently."""
    before = subject.outcome(profile, k)
    after = subject.outcome(profile, k, priority=range(profile.m - 1, -1, -1))
    if what := difference(subject, before, after):
        sentence = f"With the tie order reversed, {what}; ties must be reported, not broken."
        return Counterexample("ties reported", k, profile, before, sentence, profile, after)
    return None


def silence(subject: Subject, profile: Profile, k: int, most: int | None = None) -> Counterexample | None:
    """Where no ballot with weight says anything, all items are tied."""
    if cast(profile).any():
        return None
    outcome = subject.outcome(profile, k)
    if len(outcome.tier_indices) == 1 and len(winners(outcome)) == profile.m:
        return None
    if subject.mediator.lottery and len(winners(outcome)) == profile.m:
        return None
    sentence = "Nobody with weight says anything, but not all items are tied."
    return Counterexample("silence ties", k, profile, outcome, sentence)


def abstention(subject: Subject, profile: Profile, k: int, most: int | None = None) -> Counterexample | None:
    """A ballot that says nothing changes nothing."""
    kind = kind_of(profile)
    if kind == "utility":  # utilities always say something
        return None
    nothing = np.full((1, profile.m), -float(profile.m) if kind == "ranking" else 0.0)
    rows = np.concatenate([opinions(profile), nothing])
    joined = profile_of(kind, profile.items, rows, np.append(profile.weights, 1.0))
    before, after = subject.outcome(profile, k), subject.outcome(joined, k)
    if what := difference(subject, before, after):
        sentence = f"With a ballot more that says nothing, {what}."
        return Counterexample("abstentions ignored", k, profile, before, sentence, joined, after)
    return None


def multiplicity(subject: Subject, profile: Profile, k: int, most: int | None = None) -> Counterexample | None:
    """A weight is a multiplicity: a ballot of weight 2 w is two ballots of weight w.

    Of a rule that says it uses no weights: all positive weights decide the same.
    """
    if not profile.n or (voter := int(profile.weights.argmax())) < 0 or profile.weights[voter] == 0:
        return None
    if not subject.mediator.uses_weights:
        other = with_weights(profile, np.where(profile.weights > 0, 1.0, 0.0))
        told = "With all weights 1"
    else:
        other = part_of(profile, [*range(profile.n), voter])
        weights = np.array(other.weights)
        weights[[voter, -1]] /= 2
        other = with_weights(other, weights)
        told = f"With ballot {voter + 1} as two ballots of half its weight"
    before, after = subject.outcome(profile, k), subject.outcome(other, k)
    if what := difference(subject, before, after):
        return Counterexample("weights count ballots", k, profile, before, f"{told}, {what}.", other, after)
    return None


def batches(subject: Subject, profile: Profile, k: int, most: int | None = None) -> Counterexample | None:
    """A batch decides as its profiles do one by one (asked of rules that say they are `batched`)."""
    if not subject.mediator.batched or subject.mediator.lottery:
        return None
    rows = opinions(profile)[:, ::-1]
    mirrored = profile_of(kind_of(profile), profile.items, rows, profile.weights)
    singles = [subject.outcome(profile, k), subject.outcome(mirrored, k)]
    try:
        ranks = subject.mediator.batch(_stacked(profile, mirrored), k=k).ranks
    except Exception as error:
        sentence = f"On a batch it raises {type(error).__name__}: {error}."
        return Counterexample("batches agree", k, profile, singles[0], sentence)
    if np.array_equal(ranks, np.stack([outcome.tier_numbers for outcome in singles])):
        return None
    sentence = "In a batch of these profiles, it ranks the items otherwise."
    return Counterexample("batches agree", k, profile, singles[0], sentence, mirrored, singles[1])


def _stacked(one: Profile, other: Profile) -> Profile:
    utilities = approvals = None
    if one.utilities is not None and other.utilities is not None:
        utilities = np.stack([one.utilities, other.utilities])
    if one.approvals is not None and other.approvals is not None:
        approvals = np.stack([one.approvals, other.approvals])
    ranks, weights = np.stack([one.ranks, other.ranks]), np.stack([one.weights, other.weights])
    return Profile(one.items, ranks, weights, utilities, approvals)


def _disagreement(subject: Subject, profile: Profile, outcome: Outcome) -> str | None:
    if outcome.mediator != subject.mediator.label:
        return f"its outcome says it is by {outcome.mediator!r}, not by {subject.mediator.label!r}"
    if not subject.mediator.lottery and not set(winners(outcome)) & set(outcome.tier_indices[0]):
        return "no winner is in the first tier of its ranking"
    listed = slates(outcome)
    if listed is not None and not any(slate <= frozenset(outcome.slate_indices) for slate in listed):
        return "what it delivers is not among its winning slates"
    scores = outcome.score_values
    if scores is not None and not subject.mediator.lottery:
        along = [float(scores[item]) for item in outcome.order]
        for better, worse in pairwise(along):
            if better < worse - SLACK * max(1.0, abs(better), abs(worse)):
                return f"its scores do not fall along its ranking: {better:g} stands before {worse:g}"
    parts = outcome.trace.contributions
    if parts is not None:
        if scores is None or np.shape(parts) != (profile.n, profile.m):
            return "its trace has contributions that are not one for each ballot and item of its scores"
        size = np.abs(parts).sum(axis=0)
        if not np.allclose(parts.sum(axis=0), scores, rtol=0, atol=SLACK * float(max(1.0, size.max(initial=0.0)))):
            return "the contributions in its trace do not add up to its scores"
    return None


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


CONTRACT = (
    Axiom("sound outcome", "contract", "It decides, and its outcome agrees with itself.", sound_outcome, True),
    Axiom("ties reported", "contract", "The tie order changes what is delivered, never who wins.", tie_order, True),
    Axiom("silence ties", "contract", "Where nobody says anything, all items are tied.", silence, True),
    Axiom("abstentions ignored", "contract", "A ballot that says nothing changes nothing.", abstention, True),
    Axiom("weights count ballots", "contract", "A ballot of weight 2 is two ballots of weight 1.", multiplicity, True),
    Axiom("batches agree", "contract", "A batch decides as its profiles do one by one.", batches, True),
)
