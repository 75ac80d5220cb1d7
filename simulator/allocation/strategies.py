"""The strategies by name."""

from __future__ import annotations

from simulator.allocation.base import Allocation
from simulator.allocation.fairness_lottery import FairnessLottery
from simulator.allocation.least_fair import LeastFair
from simulator.allocation.most_compatible import MostCompatible
from simulator.allocation.product import Product
from simulator.allocation.product_lottery import ProductLottery
from simulator.allocation.static import Static
from simulator.allocation.static_lottery import StaticLottery
from simulator.allocation.weighted_lottery import WeightedLottery
from simulator.allocation.weighted_product import WeightedProduct
from simulator.callsyntax import parse_call
from simulator.inputs.nearest import nearest
from simulator.options import make_options

STRATEGIES: dict[str, type[Allocation]] = {
    kind.name: kind
    for kind in (
        FairnessLottery,
        LeastFair,
        MostCompatible,
        Product,
        ProductLottery,
        Static,
        StaticLottery,
        WeightedLottery,
        WeightedProduct,
    )
}


def strategy(spec: str) -> Allocation:
    """The strategy that is written `name` or `name(key=value)`.

    Raises:
        ValueError: there is none of this name, or a parameter is wrong.
    """
    name, params = parse_call(spec)
    if name not in STRATEGIES:
        raise ValueError(f"there is no allocation '{name}'{nearest(name, list(STRATEGIES))}")
    made: Allocation = make_options(STRATEGIES[name], params, f"allocation '{name}'")
    return made
