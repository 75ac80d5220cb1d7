"""What an inference folder says about itself: whose guesses they are, and which files hold them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError, model_validator

from simulator.inputs.textfile import TextError, read_text
from simulator.inputs.wording import in_words
from simulator.inputs.yamlfile import InputError, Problem
from simulator.llmfosa.annotations import Persona
from simulator.llmfosa.personas.files import README, write_private

MANIFEST = "manifest.json"
ANNOTATIONS = "annotations.csv"
SUMMARIES = "summaries.csv"
PROBABILITIES = "probabilities.csv"
RECORD = "answers.jsonl"
KIND = "llmfosa inference"

Word = Annotated[str, StringConstraints(min_length=1, max_length=1000)]


class _Persona(BaseModel):
    name: Word
    description: str = ""


class Manifest(BaseModel):
    """The part of manifest.json that is read again; the rest of it is for people.

    Attributes:
        kind: Always "llmfosa inference"; a folder without it is not touched.
        data: Where the users come from.
        attribute: What was inferred.
        values: Its values, in the order of their codes.
        personas: Who judged.
        origin: What answered.
        files: The names, inside the folder, of everything that holds inferred values or was made from them.
        purpose: What the replies in a response cache are for: their purposes begin with it.
        caches: The response caches that were used.
    """

    model_config = ConfigDict(extra="allow")

    kind: Literal["llmfosa inference"]
    data: str = ""
    attribute: Word
    values: list[Word] = Field(min_length=2)
    personas: list[_Persona] = []
    origin: str = ""
    files: list[Word] = []
    purpose: str = ""
    caches: list[Word] = []

    @model_validator(mode="after")
    def _distinct(self) -> Manifest:
        for what, names in (("values", self.values), ("personas", [one.name for one in self.personas])):
            if len(set(names)) < len(names):
                raise ValueError(f"the {what} must differ, found {names}")
        return self

    def cast(self) -> tuple[Persona, ...]:
        """The personas as values."""
        return tuple(Persona(one.name, one.description) for one in self.personas)


def read_manifest(folder: Path) -> Manifest:
    """The manifest of an inference folder.

    Raises:
        InputError: There is none, or it is not as `write_manifest` writes it.
    """
    path = folder / MANIFEST
    if not path.is_file():
        raise InputError([Problem(str(folder), f"is no inference folder: it has no {MANIFEST}")])
    try:
        found = json.loads(read_text(path))
    except TextError as error:
        raise InputError([Problem(str(path), error.message)]) from None
    except (ValueError, RecursionError) as error:
        raise InputError([Problem(str(path), f"is not JSON: {str(error)[:100]}")]) from None
    if not isinstance(found, dict) or found.get("kind") != KIND:
        raise InputError([Problem(str(path), f"is not that of an inference folder: it has no kind '{KIND}'")])
    try:
        return Manifest.model_validate(found)
    except ValidationError as error:
        detail = error.errors()[0]
        where = ".".join(map(str, detail["loc"]))
        raise InputError([Problem(f"{path}: {where}".rstrip(": "), in_words(detail))]) from None


def write_manifest(folder: Path, known: Manifest | None, files: Sequence[str], entries: Mapping[str, Any]) -> None:
    """Write the manifest anew; files and caches that the earlier one names stay named, so that they can be forgotten.

    Args:
        folder: The inference folder.
        known: What its manifest said before.
        files: Names of files inside it that hold inferred values.
        entries: Everything else.
    """
    named = dict.fromkeys([*(known.files if known is not None else ()), *files, README])
    caches = dict.fromkeys([*(known.caches if known is not None else ()), *entries.get("caches", ())])
    source = {} if known is None else {"data": known.data, "purpose": known.purpose}
    written = {"kind": KIND, **source, **entries, "caches": list(caches), "files": list(named)}
    write_private(folder / MANIFEST, json.dumps(written, indent=2, ensure_ascii=False, allow_nan=False) + "\n")
