"""Every value of tests/oracles/metrics.json, which others published or computed with other software."""

import json
from pathlib import Path

import numpy as np
import pytest

from simulator.metrics.attention import mean_attention
from simulator.metrics.exposure import demographic_parity, group_exposure
from simulator.metrics.inequality import atkinson, generalized_entropy, gini, jain, theil
from simulator.metrics.kendall_distance import kendall_distance
from simulator.metrics.kendall_tau import tau_b
from simulator.metrics.leximin import leximin_compare
from simulator.metrics.ndcg import dcg, exponential_gain
from simulator.metrics.ndkl import ndkl
from simulator.metrics.rbo import rbo, rbo_of_lists
from simulator.metrics.relevance import discounted_first_hit, recall, zero_recall
from simulator.metrics.weighted_tau import weighted_tau

CASES = json.loads((Path(__file__).parents[1] / "oracles" / "metrics.json").read_text())["cases"]


def places(given):
    """Two lists of the same items as positions of the first one's items."""
    return np.arange(len(given["a"])), np.array([given["b"].index(item) for item in given["a"]])


def groups(given):
    """The ranking as item indices and the groups' codes, G1 = 0."""
    return np.arange(len(given["ranking"])), np.array([int(given["groups"][item][1]) - 1 for item in given["ranking"]])


def ndcg(given):
    # the example grades by relevance itself; 2^rel - 1 is a function of its own
    found, ideal = dcg(given["gains_in_rank_order"]), dcg(given["ideal_gains"])
    return {"dcg": found, "idcg": ideal, "ndcg": found / ideal}


def exposure(given):
    order, codes = groups(given)
    mean = group_exposure(order, codes)
    return {"avg_exposure": {"G1": mean[0], "G2": mean[1]}, "ratio": demographic_parity(order, codes)}


def attention(given):
    mean = mean_attention(*groups(given), given["p"])
    return {"per_group": {"G1": mean[0], "G2": mean[1]}, "max_min_diff": np.ptp(mean)}


def group_recommendation(given):
    members = list(given["relevant"])
    hits = np.array([[item in given["relevant"][user] for item in given["recommendation"]] for user in members])
    wanted = np.array([len(given["relevant"][user]) for user in members])
    per_user = {"recall": recall(hits, wanted), "DFH": discounted_first_hit(hits)}
    ideal = [dcg(np.ones(min(number, given["N"]))) for number in wanted]
    gain = dcg(hits.astype(float)) / ideal
    spread = {name: {"mean": v.mean(), "min": v.min(), "minmax": v.min() / v.max()} for name, v in per_user.items()}
    return {
        "zRecall": zero_recall(hits),
        **spread,
        "nDCG": {"mean": gain.mean(), "per_user": dict(zip(members, gain, strict=True))},
    }


COMPUTE = {
    "gini": gini,
    "jain": jain,
    "atkinson": lambda given: atkinson(given["x"], given["epsilon"]),
    "generalized_entropy": lambda given: generalized_entropy(given["x"], given["alpha"]),
    "leximin_compare": lambda given: {1: "a > b", 0: "a = b", -1: "a < b"}[
        int(leximin_compare(given["a"], given["b"]))
    ],
    "kendall_tau_b": lambda given: tau_b(given["x"], given["y"]),
    "weighted_tau": lambda given: weighted_tau(given["x"], given["y"]),
    "kendall_distance": lambda given: kendall_distance(*places(given)),
    "ndcg": ndcg,
    "average_overlap_rbo_p1": lambda given: rbo_of_lists(given["S"], given["T"], given["p"]),
    "group_exposure_min_max_ratio": exposure,
    "ndkl": lambda given: ndkl(*groups(given)),
    "awrf_geometric_attention": attention,
    "group_recsys": group_recommendation,
}


def assert_equal(found, expected, tolerance):
    if isinstance(expected, dict):
        assert found.keys() == expected.keys()
        for key in expected:
            assert_equal(found[key], expected[key], tolerance)
    elif isinstance(expected, str):
        assert found == expected
    else:
        assert found == pytest.approx(expected, abs=tolerance or 1e-12, rel=0)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_value_agrees_with_its_source(case):
    assert_equal(COMPUTE[case["metric"]](case["input"]), case["expected"], case["tolerance"])


def test_theil_is_generalized_entropy_of_1():
    case = next(case for case in CASES if case["id"] == "theil_T")
    assert theil(case["input"]["x"]) == pytest.approx(case["expected"], abs=1e-12)


def test_average_overlap_of_the_same_lists_as_rankings():
    assert rbo([0, 1, 2], [0, 2, 1], 1) == pytest.approx(5 / 6)


def test_exponential_gains_reward_the_most_relevant():
    # 2^3 - 1, 2^2 - 1, 2^0 - 1: the graded relevance of Burges et al. 2005
    assert exponential_gain([3, 2, 0]).tolist() == [7, 3, 0]
