import numpy as np
import pytest

from simulator.llmfosa.annotations import Annotations, Persona
from simulator.llmfosa.personas import infer
from simulator.llmfosa.personas.prompts import Subject
from simulator.llmfosa.personas.reckoning import accuracy, accuracy_lines, agreement, auc, wilson
from simulator.llmfosa.personas.summarizer import compose
from tests.llmfosa.personas.viewers import scripted, viewers

NAMES = ("critic", "nurse", "historian")


def annotated(labels, confidence=None, rationales=None):
    labels = np.array(labels)
    n = len(labels)
    return Annotations(
        attribute="gender",
        values=("M", "F"),
        personas=tuple(Persona(name, "") for name in NAMES),
        users=tuple(map(str, range(n))),
        labels=labels,
        confidence=np.where(labels >= 0, 0.5 if confidence is None else confidence, np.nan),
        rationales=rationales or [["because"] * 3] * n,
        summaries=[""] * n,
    )


def test_composed_summaries_count_votes_and_quote_the_surest():
    found = annotated(
        [[1, 0, 1], [0, 0, 0], [-1, -1, -1], [0, -1, -1]],
        confidence=[[0.6, 0.7, 0.8], [0.9] * 3, [0.5] * 3, [0.55] * 3],
        rationales=[["romance", "crime", "musicals"], ["war"] * 3, [""] * 3, [""] * 3],
    )
    assert compose(found, Subject.of("gender", ("M", "F")), 80) == [
        "They disagree. 2 of 3 personas judge a woman (mean confidence 0.70): musicals. "
        "1 of 3 personas judge a man (mean confidence 0.70): crime.",
        "All agree. 3 of 3 personas judge a man (mean confidence 0.90): war.",
        "",
        "All agree. 1 of 3 personas judge a man (mean confidence 0.55).",
    ]


def test_composed_summaries_keep_to_their_words():
    found = annotated([[1, 0, 1]], rationales=[["word " * 60] * 3])
    (text,) = compose(found, Subject.of("gender", ("M", "F")), 40)
    assert len(text.split()) <= 40
    assert "a man" in text


def test_the_models_own_summary_is_asked_once_a_user_and_is_marked(tmp_path):
    def write(prompt):
        return "The analysts disagree about the romance of these titles." if "analysts" in prompt else "A plain reason."

    model, client = scripted(write)
    found = infer(
        viewers(12), "gender", permission="x", personas=2, model=model, summaries="model", out=tmp_path / "out"
    )
    asked = [prompt for prompt in client.prompts if "analysts judged" in prompt]
    assert len(asked) == 12
    assert all("Do not add a vote" in prompt for prompt in asked)
    assert set(found.summaries) == {"The analysts disagree about the romance of these titles."}
    lines = (tmp_path / "out/summaries.csv").read_text().splitlines()[1:]
    assert all(line.endswith(",model") for line in lines)


@pytest.mark.parametrize(
    ("right", "total", "expected"),
    [(0, 10, (0.0, 0.2775)), (8, 10, (0.4902, 0.9433)), (50, 100, (0.4038, 0.5962)), (10, 10, (0.7225, 1.0))],
)
def test_intervals_are_wilsons(right, total, expected):
    assert wilson(right, total) == pytest.approx(expected, abs=1e-4)  # R's binom::binom.wilson


def test_intervals_are_scipys():
    stats = pytest.importorskip("scipy.stats")
    expected = stats.binomtest(37, 50).proportion_ci(method="wilson")
    assert wilson(37, 50) == pytest.approx((expected.low, expected.high))


def test_auc_counts_ties_half():
    assert auc(np.array([0.1, 0.4, 0.35, 0.8]), np.array([False, False, True, True])) == 0.75  # scikit-learn's example
    assert auc(np.array([1.0, 1.0]), np.array([True, False])) == 0.5
    assert np.isnan(auc(np.array([1.0]), np.array([True])))


def test_accuracy_leaves_out_abstentions_and_unknown_users():
    found = annotated([[0, 0, -1], [1, 0, -1], [1, 1, -1], [0, 0, 0]])
    report = accuracy(found, np.array([0, 0, 1, -1]))
    assert report["users_with_truth"] == 3
    assert report["personas"]["critic"] | {"interval": None} == {
        "answered": 3, "right": 2, "accuracy": 0.6667, "interval": None,
    }  # fmt: skip
    assert report["personas"]["nurse"]["right"] == 3
    assert report["personas"]["historian"]["answered"] == 0
    assert report["personas"]["historian"]["accuracy"] is None
    assert report["largest_class"] == {"value": "M", "share": 0.6667}
    lines = accuracy_lines(report, NAMES)
    assert lines[0].startswith("critic: 2 of 3 right, accuracy 0.67")
    assert lines[2] == "historian: 0 of 0 right"
    assert "always saying M would be right for 0.67 of them" in lines


def test_agreement_is_none_where_nobody_can_agree():
    assert agreement(annotated([[-1, -1, -1]])) == {"fleiss_kappa": None, "krippendorff_alpha": None}
    assert agreement(annotated([[0, 0, 0], [1, 1, 1]])) == {"fleiss_kappa": 1.0, "krippendorff_alpha": 1.0}
