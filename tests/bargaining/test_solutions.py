"""Where the bargaining protocols end, against the solutions that theory gives in closed form."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import simulator as fa
from simulator.bargaining.zeuthen import risks

PIE = Path(__file__).parent.parent / "worlds" / "pie"


def share_of_first(*settings: str) -> tuple[float, fa.NegotiationWorld]:
    """What the first party gets of the pie, and the world after its round."""
    world = fa.NegotiationWorld(fa.load_scenario(PIE, settings))
    world.step()
    (cut,) = world.negotiation.turns[-1].outcome.slate
    return int(cut.removeprefix("cut ")) / 500, world


@pytest.mark.parametrize(
    ("settings", "nash"),
    [
        ([], 1 / 2),  # max x (1 - x)
        (["stakeholders.ben.objective={second_root: 1}"], 2 / 3),  # max x sqrt(1 - x)
        (["stakeholders.ben.agent=utility(reservation=0.4)"], 0.3),  # max x (0.6 - x)
        (["stakeholders.anna.agent=utility(reservation=0.3)", "stakeholders.ben.agent=utility(reservation=0.1)"], 0.6),
        (["stakeholders.anna.weight=3"], 3 / 4),  # max x^3 (1 - x): weights are bargaining power
    ],
)
@pytest.mark.parametrize("step", [0, 0.02])
def test_concession_reaches_the_nash_bargaining_solution(settings: list[str], nash: float, step: float) -> None:
    got, world = share_of_first(*settings, f"protocol=concession(turns=600, step={step})")
    assert world.negotiation.ending == "agreement"
    assert got == pytest.approx(nash, abs=0.004 if step == 0 else 0.08)
    assert world.last.row["agreed"] is True


def test_no_deal_worth_both_reservations_is_a_deadlock_and_the_mediator_decides() -> None:
    settings = [f"stakeholders.{name}.agent=utility(reservation=0.7)" for name in ("anna", "ben")]
    _, world = share_of_first(*settings)
    assert world.negotiation.ending == "deadlock"
    assert world.last.row["mediator"] == "borda"
    _, drawn = share_of_first(*settings, "protocol=concession(disagreement=draw)")
    assert drawn.last.row["mediator"] == "draw"


@pytest.mark.parametrize(("first", "second"), [(0.9, 0.8), (0.5, 0.9), (0.95, 0.95), (0.7, 0.7)])
def test_equilibrium_players_of_alternating_offers_split_as_rubinstein_says(first: float, second: float) -> None:
    got, world = share_of_first(
        f"stakeholders.anna.agent=utility(discount={first})",
        f"stakeholders.ben.agent=utility(discount={second})",
        "protocol=alternating_offers(turns=200)",
    )
    assert got == pytest.approx((1 - second) / (1 - first * second), abs=0.015)
    assert (world.negotiation.ending, len(world.negotiation.turns)) == ("agreement", 1)


def test_the_last_mover_of_a_short_game_takes_what_backward_induction_leaves_it() -> None:
    """Two turns: the second party would take everything in turn 2, so the first offers it its discount."""
    got, _ = share_of_first("stakeholders.ben.agent=utility(discount=0.6)", "protocol=alternating_offers(turns=2)")
    assert got == pytest.approx(0.4)
    ultimatum, _ = share_of_first("protocol=alternating_offers(turns=1)")
    assert ultimatum == 1.0


def test_a_likely_breakdown_works_like_impatience() -> None:
    """With breakdown p and no discounting the game is Rubinstein's with the discount 1 - p: 1 / (1 + 1 - p)."""
    got, _ = share_of_first("protocol=alternating_offers(turns=200, breakdown=0.1)")
    assert got == pytest.approx(1 / 1.9, abs=0.015)


def test_risk_limits_are_zeuthens() -> None:
    """Rosenschein and Zlotkin 1994: (utility of one's own offer - of the other's) / utility of one's own."""
    assert risks(np.array([[0.8, 0.2], [0.3, 0.6]])) == pytest.approx([0.75, 0.5])
    assert risks(np.array([[0.0, 0.0], [0.0, 0.5]])) == pytest.approx([1.0, 1.0])
