"""The scenario file's keys as pydantic models; `fairagents schema` prints their JSON Schema."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Discriminator,
    Field,
    FiniteFloat,
    Tag,
    model_validator,
)

from simulator.inputs.oneline import is_one_line


def _no_flag(value: Any) -> Any:
    if isinstance(value, bool):
        raise ValueError("must be a number, not true or false")
    return value


def _one_line(value: str) -> str:
    if not is_one_line(value):
        raise ValueError("must not hold line breaks or control characters")
    return value


Named = Annotated[str, Field(min_length=1, max_length=200)]
Prose = Annotated[str, Field(max_length=4000)]
Number = Annotated[FiniteFloat, BeforeValidator(_no_flag)]
Whole = Annotated[int, BeforeValidator(_no_flag)]


def _call_or_mapping(value: Any) -> Any:
    if isinstance(value, str) and value.strip():
        return value.strip()
    if isinstance(value, dict) and value:
        return value
    raise ValueError("needs a name such as borda, a call such as mes(completion=none), or a mapping with a name")


Call = Annotated[str | dict[str, Any], BeforeValidator(_call_or_mapping)]


def _objective(value: Any) -> Any:
    if value == "request" or isinstance(value, dict):
        return value
    raise ValueError(
        "needs 'request', or a mapping of attributes to signed weights such as {crowding: -0.5, budget: 0.5}"
    )


def _metrics(value: Any) -> Any:
    if value in ("all", "standard") or isinstance(value, list):
        return value
    raise ValueError("needs 'all', or a list such as [standard, jain, atkinson(epsilon=2), ./mine.py:spread]")


def _normalisation(value: Any) -> Any:
    if value in ("percentile", "minmax") or (isinstance(value, list | tuple) and len(value) == 2):
        return value
    raise ValueError("needs percentile, minmax or a fixed [low, high]")


def _hearing(value: Any) -> Any:
    if isinstance(value, str | list):
        return value
    raise ValueError("needs complete, ring, star(center=NAME), or a list of pairs such as [[a, b], [b, c]]")


# A union whose kind is told by the value's own type reports the faults of that kind alone.
_by_type = Discriminator(lambda value: "(word)" if isinstance(value, str) else "(other)")
Objective = Annotated[
    Annotated[Literal["request"], Tag("(word)")] | Annotated[dict[Named, Number], Tag("(other)")],
    _by_type,
    BeforeValidator(_objective),
]
Metrics = Annotated[
    Annotated[Literal["all", "standard"], Tag("(word)")] | Annotated[list[Call], Tag("(other)")],
    _by_type,
    BeforeValidator(_metrics),
]
Hearing = Annotated[
    Annotated[Named, Tag("(word)")] | Annotated[list[list[Named]], Tag("(other)")],
    _by_type,
    BeforeValidator(_hearing),
]
Normalisation = Annotated[
    Annotated[Literal["percentile", "minmax"], Tag("(word)")] | Annotated[tuple[Number, Number], Tag("(other)")],
    _by_type,
    BeforeValidator(_normalisation),
]


class Section(BaseModel):
    """Unknown keys are errors everywhere."""

    model_config = ConfigDict(extra="forbid", frozen=True, str_strip_whitespace=True)


class AttributeSection(Section):
    """Something that objectives can value: a column, or a derivation."""

    column: Named | None = Field(None, description="CSV column that holds it; the attribute's own name by default")
    derive: Call | None = Field(
        None, description="how it is computed instead, such as distance(latitude=52.5, longitude=13.4)"
    )
    scale: list[Named] | None = Field(None, min_length=2, description="levels of an ordinal column from low to high")
    unit: str = Field("", max_length=60)
    direction: Literal["higher", "lower", "none"] = Field(
        "none", description="which way is usually good; display alone"
    )
    normalisation: Normalisation = Field(
        "percentile", description="percentile rank or minmax among the candidates, or a fixed [low, high]"
    )
    more: str = Field("", max_length=200, description="words for wanting much of it")
    less: str = Field("", max_length=200, description="words for wanting little of it")

    @model_validator(mode="after")
    def _one_source(self) -> AttributeSection:
        if self.derive is not None and (self.column is not None or self.scale is not None):
            raise ValueError("has 'derive' beside 'column' or 'scale'; give one of them")
        if isinstance(self.normalisation, tuple) and not self.normalisation[0] < self.normalisation[1]:
            raise ValueError("needs low < high in a fixed normalisation [low, high]")
        if self.scale is not None and len(set(self.scale)) < len(self.scale):
            raise ValueError("has a level twice in 'scale'")
        return self


class CandidatesSection(Section):
    """How the items of a round are drawn."""

    draw: Literal["random", "all", "first", "lowest", "listed"] = Field(
        "all",
        description="random: anew each round, by the seed; lowest: by an attribute, such as the nearest ones; "
        "listed: those of the request's own list",
    )
    count: Whole | None = Field(
        None, ge=1, description="how many; needed unless all are drawn; with draw: listed, the best scored ones"
    )
    by: Named | None = Field(None, description="with draw: lowest, the attribute whose smallest values are drawn")
    complete: list[Named] = Field([], description="columns in which a drawn item must not be blank")

    @model_validator(mode="after")
    def _count_given(self) -> CandidatesSection:
        if self.draw not in ("all", "listed") and self.count is None:
            raise ValueError(f"needs a 'count' with draw: {self.draw}")
        if self.draw == "all" and self.count is not None:
            raise ValueError("has a 'count', but draw: all takes every item; use draw: random or draw: first")
        if (self.draw == "lowest") != (self.by is not None):
            raise ValueError("needs 'by', an attribute, with draw: lowest, and with nothing else")
        return self


def _empty_is_default(value: Any) -> Any:
    return {} if value is None else value


class CatalogueSection(Section):
    """The items."""

    file: Named = Field(description="CSV file, relative to the scenario file")
    id: Named = Field(description="column that names the items")
    candidates: CandidatesSection = Field(default_factory=lambda: CandidatesSection.model_validate({}))
    attributes: dict[Named, Annotated[AttributeSection, BeforeValidator(_empty_is_default)]] = Field(min_length=1)


class WishSection(Section):
    """What one value of a request's filter asks for."""

    attribute: Named
    sign: Literal[1, -1] = Field(1, description="1 wants much of it, -1 little")
    phrase: str = Field(
        "", max_length=200, description="its words in the canonical sentence; the attribute's own by default"
    )


class MembershipSection(Section):
    """In which groups of users who asks is thought to be: for an auditor's arithmetic and for figures of groups."""

    file: Named = Field(
        description="CSV: the request's id first, then a column of shares for every group; no run folder keeps a copy"
    )
    block: Whole = Field(
        5, ge=2, description="rounds after which figures of groups are given out; one round's would tell of one user"
    )


class RequestsSection(Section):
    """What the rounds are about."""

    file: Named | None = Field(
        None, description="JSON list of objects, or CSV, relative to the scenario file; the users of `lists` by default"
    )
    lists: Named | None = Field(
        None, description="CSV with the columns user (a request's id), item and score: what a recommender would show"
    )
    membership: MembershipSection | None = None
    id: Named = Field("id", description="field that names a request")
    text: Named | None = Field(None, description="field with the request's own words")
    filters: Named | None = Field(
        None, description="field whose mapping holds the filters; the fields themselves by default"
    )
    month: Named | None = Field(None, description="field or filter with the month that the request is about")
    facts: list[Named] = Field([], description="filters that state a fact and no wish")
    wishes: dict[Named, dict[Named, WishSection | None]] = Field(
        {}, description="filter -> value -> attribute; null where no attribute speaks of it"
    )
    skip: dict[Named, str] = Field({}, description="requests that are left out, with the reason")

    @model_validator(mode="after")
    def _some_source(self) -> RequestsSection:
        if self.file is None and self.lists is None:
            raise ValueError("needs a 'file' of requests, or the 'lists' of a recommender's users")
        return self


class StakeholderSection(Section):
    """A party with a goal in words and an objective in numbers."""

    name: Annotated[str, Field(min_length=1, max_length=60), AfterValidator(_one_line)]
    agent: Call = Field("llm", description="registered name, module:Class or ./file.py:Class, with parameters")
    persona: Prose = Field("", description="who it is; may contain {request.<field>}")
    value: Prose = Field("", description="the value behind its goal, for tables that people read, such as fair access")
    goal: Prose = Field("", description="what it wants, in words; may contain {request.wish} and {request.text}")
    neutral: Prose = Field(
        "",
        description="words of the same kind that want nothing, to calibrate a small model; the scenario's by default",
    )
    objective: Objective = Field(description="signed weights per attribute, or 'request': the round's wishes")
    weight: Number = Field(1.0, description="weight in the vote, above 0")
    model: Call | None = Field(None, description="its own model; the scenario's by default")
    way: Literal["weigh", "listwise"] | None = Field(
        None, description="how a language model proposes; the model's default otherwise"
    )
    tools: list[Call] = Field(
        [], description="tools for models that can call them: catalogue, knowledge(file=notes.md)"
    )


class PricesSection(Section):
    """What tokens cost."""

    prompt_per_million: Number = Field(ge=0, description="USD per million prompt tokens")
    completion_per_million: Number = Field(ge=0, description="USD per million completion tokens")


class StarvationSection(Section):
    """When a stakeholder is warned of as starved: far under its share over some rounds while the average looks fine."""

    window: Whole = Field(10, ge=1, description="rounds looked back on")
    share: Number = Field(0.5, gt=0, le=1, description="starved below this share of the others' mean satisfaction")
    average: Number = Field(0.5, ge=0, le=1, description="mean satisfaction of all from which it looks fine")


class ScenarioFile(Section):
    """A scenario: who negotiates about what, and by which rules."""

    title: Annotated[Named, AfterValidator(_one_line)]
    description: Prose = ""
    seed: Whole = Field(0, ge=0, lt=2**63, description="root of every random draw")
    rounds: Whole = Field(8, ge=1, le=1_000_000)
    k: Whole = Field(1, ge=1, description="how many items a round delivers")
    catalogue: CatalogueSection
    requests: RequestsSection | None = None
    stakeholders: list[StakeholderSection] = Field(min_length=1, max_length=1000)
    mediator: Call = "borda"
    tie: Literal["item_order", "seeded", "earlier_service"] = Field("item_order", description="how ties are ordered")
    protocol: Call = "deliberation"
    hearing: Hearing = Field(
        "complete",
        description="who hears whom: complete, ring, star(center=NAME), or pairs [a, b]; [a, b, one way] is heard by b",
    )
    dynamics: list[Call] = []
    metrics: Metrics = Field(
        "standard",
        description="standard, all (that need no parameters), or a list of calls, ./file.py:name and these words",
    )
    starvation: StarvationSection = Field(default_factory=lambda: StarvationSection.model_validate({}))
    model: Call = Field("embedded", description="embedded, fake, none, openai(...), ollama(...), or {provider, config}")
    neutral: Prose = Field("", description="words that want nothing, the only calibration of a small model if given")
    prices: PricesSection | None = None
