"""Methods beside each other on data at hand: trained, measured and kept in memory, nothing written."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from simulator.llmfosa.experiment.design import ABLATED, HIDDEN, Cell, Design
from simulator.llmfosa.tables import Result, Results

if TYPE_CHECKING:
    from simulator.llmfosa.annotations import Annotations
    from simulator.llmfosa.interactions import Interactions
    from simulator.llmfosa.measures import Attack
    from simulator.llmfosa.methods.base import Trained

Done = Callable[[int, int, Result], None]


@dataclass(frozen=True, eq=False)
class Comparison:
    """What methods reached, and the recommenders themselves.

    Attributes:
        results: What was measured, as tables and figures take it.
        trained: The recommenders by cell.
        attacks: What attackers made of their users; cells with too few users to attack are missing.
    """

    results: Results
    trained: Mapping[Cell, Trained]
    attacks: Mapping[Cell, Attack]

    def cell(self, method: str, weight: float | None = None, *, seed: int | None = None) -> Cell:
        """The first cell of a row of the tables, such as `llmfosa` or `llmfosa -similarity`, with a weight and a seed.

        Raises:
            KeyError: There is none.
        """
        for cell in self.trained:
            if cell.name == method and weight in (None, cell.weight) and seed in (None, cell.seed):
                return cell
        rows = ", ".join(dict.fromkeys(cell.name for cell in self.trained))
        raise KeyError(f"no '{method}' with weight {weight} and seed {seed}; there are {rows}")


def compare(
    data: Interactions,
    attribute: str,
    methods: Sequence[str] = ("bpr", "majority_fairmi", ABLATED),
    *,
    annotations: Annotations | None = None,
    weights: Sequence[float] | None = None,
    seeds: Sequence[int] = (0,),
    ablate: bool = False,
    settings: Mapping[str, Any] | None = None,
    off: Sequence[str] = (),
    hidden: float = HIDDEN,
    device: str = "cpu",
    done: Done | None = None,
) -> Comparison:
    """Train methods on the same data, each seed from the same pretrained recommender, and measure them.

    `simulator.llmfosa.experiment.run.run_design` does the same for data sets in files, in several processes, and keeps
    everything in a folder.

    Args:
        data: The interactions; a name that is a preset's brings the preset's options.
        attribute: Whose groups are compared. Methods that use true labels see them, all others do not.
        methods: By name, as `fairagents llmfosa methods` lists them.
        annotations: What annotators said, for the methods that ask them.
        weights: Weights of fairness of fairmi, majority_fairmi and llmfosa; by default that of the plan.
        seeds: Roots of all draws.
        ablate: Whether LLMFOSA is also trained with each term off.
        settings: Options such as `{"fair.epochs": 10}`.
        off: Terms of LLMFOSA that are switched off.
        hidden: Share of users whose true label is hidden from the methods that use true labels.
        device: Where it computes.
        done: Called with the number of finished cells, of all cells, and the result, as they come.

    Raises:
        ValueError: There is no such method, attribute, option or device, no method or seed at all, a weight or share is
            out of range, or a method needs annotations.
        InputError: The annotations are about others.
    """
    from simulator.llmfosa.annotators import aligned
    from simulator.llmfosa.experiment.cell import run_cell
    from simulator.llmfosa.experiment.prepare import Prepared
    from simulator.llmfosa.methods import method
    from simulator.llmfosa.training.plan import plan_of

    if attribute not in data.attributes:
        raise ValueError(f"{data.name} has no attribute '{attribute}'; it has {', '.join(data.attributes) or 'none'}")
    if not methods or not seeds:
        raise ValueError("name at least one method and one seed")
    if not all(0 <= weight < float("inf") for weight in weights or ()) or (weights is not None and not len(weights)):
        raise ValueError(f"weights {list(weights or ())}: there should be one or more, finite and at least 0")
    if not 0 <= hidden < 1:
        raise ValueError(f"hidden is {hidden}; it should be a share of the users, at least 0 and below 1")
    plan = plan_of(data.name, settings, off)
    design = Design(
        data.name,
        None,
        attribute,
        "" if annotations is None else annotations.origin,
        tuple(dict.fromkeys(methods)),
        tuple(dict.fromkeys(seeds)),
        (plan.fair.fairness,) if weights is None else tuple(weights),
        ablate,
        plan,
        hidden,
        device,
    )
    cells = design.cells()
    asking = [cell.method for cell in cells if method(cell.method).uses == "annotations"]
    if asking and annotations is None:
        raise ValueError(f"{asking[0]} needs annotations: what `infer` gives, or simulated ones")
    notes = None if annotations is None else aligned(annotations, data, attribute)
    prepared = Prepared(data, notes, "", "")
    rows: list[Result] = []
    trained: dict[Cell, Trained] = {}
    attacks: dict[Cell, Attack] = {}
    with TemporaryDirectory() as folder, _one_thread():  # the folder passes the pretrained recommender on
        for cell in cells:
            result, trained[cell], attacked = run_cell(cell, design, prepared, Path(folder))
            rows.append(result)
            if attacked is not None:
                attacks[cell] = attacked
            if done:
                done(len(rows), len(cells), result)
    return Comparison(Results.of(rows), trained, attacks)


@contextmanager
def _one_thread() -> Iterator[None]:
    """Results do not depend on how many cores there are."""
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)
