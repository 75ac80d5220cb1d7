import asyncio
import itertools
import random
import subprocess
import sys

import pytest

from simulator.alignment import canonical_sentence, importance, rank_order_centroids

PHRASES = ["low prices", "clean air", "short walks", "quiet streets"]


class Table:
    """A scorer with stated log probabilities: `bias` for every phrase, `said` for what the goal adds to an opening."""

    def __init__(self, bias, said):
        self.bias, self.said, self.asked = bias, said, []

    async def phrase_logprobs(self, system, user, opening, phrases):
        self.asked.append((system, opening))
        stated = self.said[opening.split()[1]] if "GOAL" in system else dict.fromkeys(phrases, 0.0)
        return [self.bias[phrase] + stated[phrase] for phrase in phrases]


def elicit(scorer, phrases=PHRASES, **words):
    return asyncio.run(importance(scorer, persona="You travel.", goal="GOAL", phrases=phrases, **words))


def test_scores_are_calibrated_most_minus_least():
    bias = dict(zip(PHRASES, [-50.0, -1.0, -9.0, -3.0], strict=True))
    most = dict(zip(PHRASES, [4.0, 2.0, 1.0, 0.0], strict=True))
    least = dict(zip(PHRASES, [0.0, 0.0, 0.0, 5.0], strict=True))
    found = elicit(Table(bias, {"matters": most, "do": least}))
    assert found.scores == pytest.approx((4.0, 2.0, 1.0, -2.0))
    assert found.weights == pytest.approx(tuple(rank_order_centroids(4)))


def test_each_prompt_is_asked_once_with_and_without_the_goal():
    table = Table(
        dict.fromkeys(PHRASES, 0.0), {"matters": dict.fromkeys(PHRASES, 0.0), "do": dict.fromkeys(PHRASES, 0.0)}
    )
    found = elicit(table, neutral="Hello.")
    assert found.weights == pytest.approx((0.25, 0.25, 0.25, 0.25))
    assert sorted(table.asked) == [
        ("You travel. GOAL", "I do not care about"),
        ("You travel. GOAL", "What matters most to me is"),
        ("You travel. Hello.", "I do not care about"),
        ("You travel. Hello.", "What matters most to me is"),
    ]


def test_the_calibrations_show_every_phrase_in_every_place_and_no_order():
    table = Table(
        dict.fromkeys(PHRASES, 0.0), {"matters": dict.fromkeys(PHRASES, 0.0), "do": dict.fromkeys(PHRASES, 0.0)}
    )
    elicit(table)
    said = [system.removeprefix("You travel. ") for system, _ in table.asked if "GOAL" not in system]
    assert len(set(said)) == 4
    firsts = [sentence.split("What matters most to me is ")[1].split(".")[0] for sentence in said]
    assert sorted(set(firsts)) == sorted(PHRASES)


@pytest.mark.parametrize("order", list(itertools.permutations(PHRASES[:3])))
def test_nothing_that_is_asked_depends_on_the_order_of_the_phrases(order):
    nothing = {"matters": dict.fromkeys(PHRASES, 0.0), "do": dict.fromkeys(PHRASES, 0.0)}
    given, ordered = Table(dict.fromkeys(PHRASES, 0.0), nothing), Table(dict.fromkeys(PHRASES, 0.0), nothing)
    elicit(given, list(order))
    elicit(ordered, sorted(order))
    assert given.asked == ordered.asked


def test_one_phrase_is_not_asked_about():
    table = Table({}, {})
    assert elicit(table, PHRASES[:1]).weights == (1.0,)
    assert table.asked == []


@pytest.mark.parametrize("phrases", [[], ["low prices", "low prices"]])
def test_phrases_must_be_distinct(phrases):
    with pytest.raises(ValueError, match="distinct"):
        elicit(Table({}, {}), phrases)


@pytest.mark.parametrize("order", list(itertools.permutations(PHRASES)))
def test_the_fake_model_reads_the_canonical_sentence(order):
    from simulator.models.fake import FakeClient

    goal = canonical_sentence(order)
    found = asyncio.run(importance(FakeClient(), persona="You travel.", goal=goal, phrases=PHRASES))
    assert sorted(PHRASES, key=lambda phrase: -found.scores[PHRASES.index(phrase)]) == list(order)


def test_alignment_does_not_import_autogen():
    code = "import sys, simulator.alignment, simulator.alignment.rated; print('autogen_core' in sys.modules)"
    environment = {"PYTHONPATH": ":".join(sys.path)}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


HELD_OUT = [  # chosen after the wording and the weight were fixed
    ("You are a parent choosing a school.", ["small classes", "kind teachers", "good grades", "many sports"]),
    ("You are a guest choosing a hotel.", ["clean rooms", "good breakfast", "fast internet", "nice views"]),
    ("You are a mayor planning a tourist season.", ["full hotels", "calm evenings", "clean beaches", "happy locals"]),
]


@pytest.mark.embedded
@pytest.mark.slow
def test_the_embedded_model_recovers_most_stated_orders(embedded):
    agreements, firsts, trials = [], 0, 0
    for at, (persona, phrases) in enumerate(HELD_OUT):
        for trial in range(6):
            order = random.Random(f"{at} {trial}").sample(phrases, len(phrases))
            goal = canonical_sentence(order)
            found = asyncio.run(importance(embedded.scorer, persona=persona, goal=goal, phrases=phrases))
            score = dict(zip(phrases, found.scores, strict=True))
            pairs = list(itertools.combinations(order, 2))
            agreements.append(sum(1 if score[a] > score[b] else -1 for a, b in pairs) / len(pairs))
            firsts += max(score, key=score.__getitem__) == order[0]
            trials += 1
    print(f"Kendall tau {sum(agreements) / trials:.3f}, first attribute right {firsts} of {trials}")
    assert sum(agreements) / trials >= 0.7  # 0.85 when this was written
    assert firsts >= 0.85 * trials  # all of them when this was written
