"""The checks of a scenario that need its data files or the registry; every problem found is kept, with its place."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from simulator.catalogue import Attribute, Catalogue, CatalogueError, read_catalogue
from simulator.inputs.files import InputFiles
from simulator.inputs.nearest import nearest
from simulator.inputs.yamlfile import KeyPath, Problem, YamlFile
from simulator.profile import Ints
from simulator.registry import RegistryError, create, is_foreign, split_spec
from simulator.requests import Request
from simulator.rounds.cautions import degenerate_comparison
from simulator.scenario.schema_errors import covered

if TYPE_CHECKING:
    from simulator.scenario.schema import RequestsSection, ScenarioFile

T = TypeVar("T")


class Check:
    """Checks one scenario file piece by piece; a piece that is wrong is reported and left out.

    Args:
        file: its validated keys.
        source: where they stand.
        folder: what its paths are relative to.
        code: False imports no code of a user or a plug-in.
        problems: collects what is found.
        wrong: keys that are reported already; nothing more is said of them and of what stands below.
    """

    def __init__(
        self,
        file: ScenarioFile,
        source: YamlFile,
        folder: Path,
        code: bool,
        problems: list[Problem],
        wrong: set[KeyPath],
    ) -> None:
        self.file = file
        self.source = source
        self.base = folder.resolve()
        self.files = InputFiles(folder)
        self.code = code
        self.problems = problems
        self.wrong = wrong
        self.warnings: list[str] = []
        self.known_attributes: dict[str, Attribute] = {}
        self._lost_rows = 0

    def say(self, key: KeyPath, message: str) -> None:
        """Keep a problem at the place of a key."""
        if not covered(key, self.wrong):
            self.problems.append(Problem(self.source.place(key), message))

    def say_once(self, key: KeyPath, message: str) -> None:
        """Keep a problem at the place of a key, and say nothing more of what the key holds."""
        self.say(key, message)
        self.wrong.add(key)

    def is_wrong(self, key: KeyPath) -> bool:
        """Whether a key, one above it or one below it is reported already."""
        return covered(key, self.wrong) or any(wrong[: len(key)] == key for wrong in self.wrong)

    def ask(self, key: KeyPath, method: str, question: Callable[..., Iterable[T]], *arguments: Any) -> list[T]:
        """What a method that a user may have written gives; nothing, and a problem, if it fails."""
        try:
            return list(question(*arguments))
        except CatalogueError as error:
            self._catalogue_faults(error)
        except Exception as error:  # foreign code can fail in any way
            self.say(key, f"'{method}' fails: {type(error).__name__}: {error}")
        return []

    def path(self, key: KeyPath, name: str, *, private: bool = False) -> Path | None:
        """A file that the scenario names, or None with a problem."""
        try:
            return self.files.find(name, private=private)
        except FileNotFoundError as error:
            self.say(key, str(error))
            return None

    def catalogue(self) -> Catalogue | None:
        """The catalogue file, as far as it can be read."""
        section = self.file.catalogue
        path = self.path(("catalogue", "file"), section.file)
        if path is None or self.is_wrong(("catalogue", "id")):
            return None
        try:
            return read_catalogue(path, section.id)
        except CatalogueError as error:
            self._catalogue_faults(error)
            self._lost_rows = error.lost
            return error.rest

    def _catalogue_faults(self, error: CatalogueError) -> None:
        self.problems += [Problem(f"{error.path}:{line}", message) for line, message in error.faults]

    def attributes(self, catalogue: Catalogue | None) -> tuple[tuple[Attribute, ...], dict[str, Any], dict[str, str]]:
        """What objectives can value, the derivations and the columns behind them."""
        derivations: dict[str, Any] = {}
        columns: dict[str, str] = {}
        for name, section in self.file.catalogue.attributes.items():
            key: KeyPath = ("catalogue", "attributes", name)
            self.known_attributes[name] = Attribute(
                name,
                section.unit,
                section.direction,
                section.normalisation,
                section.more,
                section.less,
                tuple(section.scale or ()),
            )
            if section.derive is not None:
                derivation = self.thing((*key, "derive"), "derivation", section.derive)
                if derivation is not None:
                    derivations[name] = derivation
                    known = self.known_attributes[name]
                    self.known_attributes[name] = replace(known, private=bool(derivation.private))
                    self._check_columns((*key, "derive"), derivation, catalogue)
                continue
            column = columns[name] = section.column or name
            readable = catalogue is not None and not self.is_wrong(key)
            if readable and catalogue is not None and self._has_column((*key, "column"), column, catalogue):
                try:
                    _ = catalogue.levels(column, section.scale) if section.scale else catalogue.numbers(column)
                except CatalogueError as error:
                    self._catalogue_faults(error)
        return tuple(self.known_attributes.values()), derivations, columns

    def _check_columns(self, key: KeyPath, reader: Any, catalogue: Catalogue | None) -> None:
        """What a derivation or a dynamic finds wrong with the columns that it reads."""
        if catalogue is None:
            return
        columns = self.ask(key, "columns", reader.columns)
        missing = [column for column in columns if not self._has_column(key, column, catalogue)]
        if not missing:
            for message in self.ask(key, "check", reader.check, catalogue):
                self.say(key, message)

    def _has_column(self, key: KeyPath, column: str, catalogue: Catalogue) -> bool:
        if column in catalogue.columns:
            return True
        self.say(key, f"the catalogue has no column '{column}'{nearest(column, list(catalogue.columns), limit=40)}")
        return False

    def unknown_attribute(self, key: KeyPath, name: str) -> None:
        """An attribute that the catalogue does not have, unless its attributes are reported already."""
        if not covered(("catalogue", "attributes"), self.wrong):
            self.say(key, f"there is no attribute '{name}'{nearest(name, list(self.known_attributes), limit=40)}")

    def drawable(self, catalogue: Catalogue | None, requests: Sequence[Request]) -> Ints | None:
        """Rows that can be drawn, after the check that enough of them exist and that k items can be delivered."""
        section = self.file.catalogue.candidates
        key: KeyPath = ("catalogue", "candidates")
        if section.by is not None and section.by not in self.known_attributes:
            self.unknown_attribute((*key, "by"), section.by)
        if catalogue is None:
            return None
        known = [c for i, c in enumerate(section.complete) if self._has_column((*key, "complete", i), c, catalogue)]
        rows = catalogue.complete(known)
        if section.draw == "listed":
            return self._listed(rows, catalogue, requests)
        available = len(rows) + self._lost_rows
        if section.count is not None and section.count > available:
            message = f"{section.count} candidates are asked for, but only {available} items can be drawn"
            self.say((*key, "count"), f"{message}; ask for at most {available}")
        available = min(available, section.count or available)
        if self.file.k > available:
            self.say(("k",), f"k = {self.file.k} is larger than the number of a round's candidates, {available}")
        return rows

    def _listed(self, rows: Ints, catalogue: Catalogue, requests: Sequence[Request]) -> Ints:
        """The rows that stand on some request's list, after the check that k items of every list can be delivered."""
        key: KeyPath = ("catalogue", "candidates", "draw")
        section = self.file.requests
        if section is None or section.lists is None:
            self.say(key, "draw: listed needs the key 'requests.lists', a CSV with the columns user, item and score")
            return rows
        allowed = {catalogue.ids[row] for row in rows.tolist()}
        on_table = {request.id: allowed.intersection(request.scores) for request in requests}
        count = self.file.catalogue.candidates.count
        short = [name for name, items in on_table.items() if min(len(items), count or len(items)) < self.file.k]
        if short and not self.is_wrong(("requests", "lists")) and not self._lost_rows:
            which = f"request '{short[0]}'" + (f" and {len(short) - 1} more" if len(short) > 1 else "")
            self.say(("k",), f"k = {self.file.k} is larger than the number of candidates on the list of {which}")
        anywhere = set[str]().union(*on_table.values())
        return np.array([row for row in rows.tolist() if catalogue.ids[row] in anywhere], dtype=np.int64)

    def requests(self, catalogue: Catalogue | None) -> tuple[Request, ...]:
        """The requests, with their lists and memberships; a scenario without any has one that says nothing."""
        section = self.file.requests
        if section is None:
            return (Request("1"),)
        read = self._requests_read(section) if section.file is not None else ()
        from simulator.scenario.base_lists import with_lists
        from simulator.scenario.membership import with_membership

        if section.lists is not None:
            read = with_lists(self, section, read, catalogue)
        return read if section.membership is None else with_membership(self, section.membership, read)

    def _requests_read(self, section: RequestsSection) -> tuple[Request, ...]:
        assert section.file is not None
        for name, values in section.wishes.items():
            for value, wish in values.items():
                if wish is not None and wish.attribute not in self.known_attributes:
                    self.unknown_attribute(("requests", "wishes", name, value, "attribute"), wish.attribute)
        path = self.path(("requests", "file"), section.file)
        if path is None:
            return ()
        from simulator.scenario.request_file import read_requests, unused_filters

        read, faults = read_requests(path, section, self.known_attributes)
        unsure = self.is_wrong(("requests", "facts"))
        for line, key, message in faults:
            if line is None:
                self.say(("requests", *key), message)
            elif not (covered(("requests", *key), self.wrong) or (unsure and key[:1] == ("wishes",))):
                self.problems.append(Problem(f"{path}:{line}", message))
        if not read and not faults:
            self.say(("requests", "file"), f"'{section.file}' holds no request that is not skipped")
        unused = unused_filters(section, read) if read else []
        self.warnings += [f"no request has the filter '{name}', which the scenario speaks of" for name in unused]
        return read

    def derivations_on(self, derivations: dict[str, Any], requests: Sequence[Request]) -> None:
        """What derivations find wrong with the requests that they depend on, unless these could not be read in full."""
        if self.is_wrong(("requests", "lists")) or self.is_wrong(("requests", "membership")):
            return
        for name, derivation in derivations.items():
            key: KeyPath = ("catalogue", "attributes", name, "derive")
            for request in requests:
                for message in self.ask(key, "check_request", derivation.check_request, request):
                    self.say(key, f"request '{request.id}': {message}")

    def thing(self, key: KeyPath, kind: str, spec: Any) -> Any:
        """A thing of the registry, or None with a problem, or if its code may not be imported."""
        try:
            name, _ = split_spec(kind, spec)
            return create(kind, spec, self.base) if self.may_find(key, kind, name) else None
        except RegistryError as error:
            self.say(key, str(error))
            return None

    def may_find(self, key: KeyPath, kind: str, name: str) -> bool:
        """Whether a thing of this name can be looked for; a user's file is kept as an input of the run."""
        if covered(key, self.wrong) or (not self.code and is_foreign(kind, name)):
            return False
        source, colon, _ = name.rpartition(":")
        return not (colon and source.endswith(".py")) or self.path(key, source) is not None

    def mediator(self) -> Any:
        """The mediator, or None; with warnings if it cannot use the stakeholders' weights, or if these decide alone."""
        mediator = self.thing(("mediator",), "mediator", self.file.mediator)
        if mediator is None or not self.ask(("mediator",), "label", lambda: [mediator.label]):
            return None
        if not mediator.uses_weights and len({party.weight for party in self.file.stakeholders}) > 1:
            self.warnings.append(f"mediator {mediator.label} does not use the stakeholders' weights, which differ")
        weights = np.array([party.weight for party in self.file.stakeholders])
        if (weights > 0).all() and not self.is_wrong(("stakeholders",)):
            reason = degenerate_comparison([party.name for party in self.file.stakeholders], weights)
            self.warnings += [reason] if reason is not None else []
        return mediator

    def dynamics(self, derivations: dict[str, Any], catalogue: Catalogue | None) -> tuple[Any, ...]:
        """The dynamics; every state array that an attribute reads must be maintained by exactly one of them."""
        made = [self.thing(("dynamics", i), "dynamic", spec) for i, spec in enumerate(self.file.dynamics)]
        provided: list[str] = []
        known = [(place, dynamic) for place, dynamic in enumerate(made) if dynamic is not None]
        hidden: list[str] = []
        for place, dynamic in known:
            key: KeyPath = ("dynamics", place)
            self._check_columns(key, dynamic, catalogue)
            for arrays, kind in ((provided, "arrays"), (hidden, "hidden_arrays")):
                for array in self.ask(key, kind, getattr(dynamic, kind)):
                    if array in (*provided, *hidden):
                        self.say(key, f"two dynamics maintain '{array}'; give one of them another array=...")
                    arrays.append(array)
        if len(known) < len(made) or self.is_wrong(("dynamics",)):
            return tuple(dynamic for _, dynamic in known)
        for name, derivation in derivations.items():
            key = ("catalogue", "attributes", name, "derive")
            for arrays, kind in ((provided, "state_arrays"), (hidden, "hidden_arrays")):
                for array in self.ask(key, kind, getattr(derivation, kind)):
                    if array not in arrays:
                        self.say(key, f"no dynamic of this scenario maintains '{array}'{nearest(array, arrays)}")
        return tuple(made)

    def hearing(self) -> Mapping[str, frozenset[str]] | None:
        """Whom each stakeholder hears; None if everyone hears everyone."""
        from simulator.hearing import HearingError, hearing_graph, hears

        if self.file.hearing == "complete" or self.is_wrong(("hearing",)) or self.is_wrong(("stakeholders",)):
            return None
        try:
            return hears(hearing_graph(self.file.hearing, [party.name for party in self.file.stakeholders]))
        except HearingError as error:
            self.say(("hearing",), str(error))
            return None
