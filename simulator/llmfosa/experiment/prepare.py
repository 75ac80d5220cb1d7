"""The data, annotations and hidden labels of a design, loaded once a process."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256

import numpy as np

from simulator.llmfosa.annotations import Annotations
from simulator.llmfosa.experiment.design import Design
from simulator.llmfosa.interactions import Interactions
from simulator.llmfosa.methods import method
from simulator.profile import Ints
from simulator.seeds import generator


@dataclass(frozen=True, eq=False)
class Prepared:
    """What the cells of a design share.

    Attributes:
        data: The interactions.
        annotations: What annotators said; None where no method asks.
        key: A fingerprint of design, data and annotations.
        data_key: Of the data alone.
    """

    data: Interactions
    annotations: Annotations | None
    key: str
    data_key: str

    def visible_labels(self, attribute: str, hidden: float, seed: int) -> Ints:
        """True codes with a share of the users hidden, drawn by seed."""
        codes = self.data.attributes[attribute].codes.copy()
        draw = generator(seed, "llmfosa", "hidden labels")
        known = np.flatnonzero(codes >= 0)
        codes[draw.choice(known, size=round(hidden * len(known)), replace=False)] = -1
        return codes


def prepare(design: Design) -> Prepared:
    """Load and annotate.

    Raises:
        InputError: The data, the attribute or the annotations are wrong.
    """
    from simulator.inputs.yamlfile import InputError, Problem
    from simulator.llmfosa.annotators import annotations_of
    from simulator.llmfosa.loaders import load

    data = load(design.preset, design.data, seed=design.split_seed)
    if design.attribute not in data.attributes:
        known = ", ".join(data.attributes) or "none"
        raise InputError([Problem(f"--attribute {design.attribute}", f"{data.name} knows these: {known}")])
    notes = None
    if any(method(name).uses == "annotations" for name in design.methods) or design.ablate:
        notes = annotations_of(design.annotations, data, design.attribute, design.split_seed)
    digest = sha256(f"{design.preset} {design.split_seed}".encode())
    for matrix in (data.train, data.valid, data.test):
        digest.update(matrix.indptr.astype(np.int64).tobytes() + matrix.indices.astype(np.int64).tobytes())
    data_key = digest.hexdigest()[:16]
    digest.update(design.fingerprint().encode() + data.attributes[design.attribute].codes.tobytes())
    if notes is not None:
        texts = [*notes.summaries, *(text for each in notes.rationales for text in each)]
        texts += [part for one in notes.personas for part in (one.name, one.description)]
        digest.update(notes.labels.tobytes() + "\0".join(texts).encode(errors="surrogatepass"))
    return Prepared(data, notes, digest.hexdigest()[:16], data_key)
