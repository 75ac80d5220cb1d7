"""One profile in, one outcome out; tie rules and seeds."""

import json
import os
import subprocess
import sys

import pytest

from simulator.mediation import mediate
from simulator.mediators.borda import Borda
from simulator.profile import Profile
from simulator.seeds import child_seed, generator
from simulator.tie import priority

PROFILE = Profile.from_rankings([["a", "b", "c"], ["b", ["a", "c"]]], weights=[2, 1])


@pytest.mark.parametrize("mediator", ["borda", {"name": "borda"}, Borda(), "simulator.mediators.borda:Borda"])
def test_mediator_is_a_name_a_mapping_a_path_or_an_object(mediator):
    outcome = mediate(PROFILE, mediator, k=2)
    assert outcome.scores == {"a": 4.5, "b": 4.0, "c": 0.5}
    assert outcome.slate == ("a", "b")


def test_parameters_are_part_of_the_outcomes_name():
    assert mediate(PROFILE, "copeland(alpha=1)").mediator == "copeland(alpha=1.0)"
    assert mediate(PROFILE, "copeland(alpha=0.5)").mediator == "copeland"


@pytest.mark.parametrize("k", [0, -1, 4])
def test_slate_size_out_of_range_is_refused(k):
    with pytest.raises(ValueError, match=rf"k is {k}; it must lie in 1\.\.3"):
        mediate(PROFILE, "borda", k=k)


def test_wrong_names_are_refused_with_the_nearest_right_one():
    with pytest.raises(ValueError, match="did you mean 'borda'"):
        mediate(PROFILE, "bordo")
    with pytest.raises(ValueError, match="did you mean 'seeded'"):
        mediate(PROFILE, "borda", tie="seedy")
    with pytest.raises(ValueError, match="did you mean 'alpha'"):
        mediate(PROFILE, "copeland(alpah=1)")


def test_batch_of_profiles_is_refused():
    with pytest.raises(ValueError, match="one profile at a time"):
        mediate(Profile.from_utilities([[[1, 0]], [[0, 1]]], "ab"), "utilitarian")


def test_item_order_puts_tied_items_as_listed():
    profile = Profile.from_rankings([["c", "a", "b"], ["b", "a", "c"]], items="cba")
    outcome = mediate(profile, "borda", k=2)
    assert outcome.slate == ("c", "b")
    assert outcome.tiers == (("c", "b", "a"),)
    assert outcome.slates == (("c", "b"), ("c", "a"), ("b", "a"))


def test_seeded_ties_depend_on_the_seed_alone():
    tied = Profile.from_rankings([], items="abcdefgh")
    orders = {mediate(tied, "borda", tie="seeded", seed=seed).ranking for seed in range(20)}
    assert len(orders) > 15
    assert (
        mediate(tied, "borda", tie="seeded", seed=3).ranking == mediate(tied, "copeland", tie="seeded", seed=3).ranking
    )


def test_earlier_service_puts_the_item_delivered_longest_ago_first():
    assert priority("earlier_service", 5, last_delivered=[4, 0, 2, 4, 0]).tolist() == [1, 4, 2, 0, 3]
    assert priority("earlier_service", 3).tolist() == [0, 1, 2]
    with pytest.raises(ValueError, match="last_delivered"):
        priority("earlier_service", 3, last_delivered=[1, 2])


def test_child_seeds_tell_purposes_apart():
    purposes = [(), ("a",), ("a", "b"), ("ab",), (1,), ("1",), (1, "a"), ("a", 1), ("a", ""), ('a","b',)]
    assert len({child_seed(root, *purpose) for root in (0, 1) for purpose in purposes}) == 2 * len(purposes)
    assert all(0 <= child_seed(root, "x") < 2**63 for root in range(200))


def test_seeds_are_the_same_on_every_machine():
    # computed with hashlib by hand: sha256('[7,"tie",3]'), first 63 bits
    assert child_seed(7, "tie", 3) == 5_643_535_672_782_515_424
    assert generator(7, "tie", 3).integers(1 << 40) == generator(7, "tie", 3).integers(1 << 40)
    assert generator(7, "tie", 3).integers(1 << 40) != generator(7, "tie", 4).integers(1 << 40)


SCRIPT = """
import json
from simulator import registry
from simulator.justification import justify
from simulator.mediation import mediate
from simulator.profile import Profile
profile = Profile.from_rankings([["a", ["b", "c"], "e"], ["d", "b"], ["e", "d", "a"], []], items="edcba")
for name in registry.names("mediator"):
    outcome = mediate(profile, name, k=2, tie="seeded", seed=5)
    print(json.dumps(outcome.to_json(), allow_nan=False), outcome.ranking)
    print(justify(profile, outcome, registry.create("mediator", name), k=2, seed=5))
"""


@pytest.mark.slow
def test_outcomes_do_not_depend_on_the_hash_seed():
    def printed(hash_seed):
        environment = {**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": os.pathsep.join(sys.path)}
        done = subprocess.run(
            [sys.executable, "-c", SCRIPT], env=environment, capture_output=True, text=True, check=True
        )
        return done.stdout

    first = printed("1")
    assert first == printed("2")
    assert len([json.loads(line[: line.rindex("}") + 1]) for line in first.splitlines()[::2]]) >= 10
