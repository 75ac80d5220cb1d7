"""What language models are told and asked, and the forms of their answers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pydantic import BaseModel, Field, create_model

from simulator.alignment.rated import rating_prompt
from simulator.scenario import Party
from simulator.table import Table

LONGEST_ARGUMENT = 400


def system_message(party: Party, table: Table) -> str:
    """Who the stakeholder is and what it wants, with the request's own words filled in."""
    return f"{table.request.fill(party.persona)} {table.request.fill(party.goal)}".strip()


def argument_task(first: str, reasons: Sequence[str], table: Table) -> str:
    """Ask for one sentence of argument for the ballot's first item; short, for small models.

    Args:
        first: the ballot's first item.
        reasons: in the attributes' words, what speaks for it.
        table: what is on the table; a tentative outcome is named.
    """
    asked = f"Write one sentence: why should the group choose {first}?"
    if table.tentative is not None and table.tentative.ranking[0] != first:
        leader = table.tentative.ranking[0]
        asked = f"The group leans towards {leader}. Write one sentence: why should the group choose {first} instead?"
    return f"{asked} Reason: {', '.join(reasons)}." if reasons else asked


def listwise_task(table: Table) -> str:
    """Ask for a complete ranking, with everything that is on the table."""
    return (
        f"{_asked(table)}"
        f"These {len(table.candidates.ids)} candidates are on the table; {table.k} of them will be delivered.\n"
        f"{_described(table)}\n"
        "Rank all of them from best to worst for what you want, each exactly once, named exactly as above. "
        f"In `argument`, say in one or two sentences (at most {LONGEST_ARGUMENT} characters) why."
    )


def response_task(table: Table) -> str:
    """Show the tentative outcome and what the others said; ask to accept or to revise."""
    assert table.tentative is not None
    said = "\n".join(f"- {name}: {argument}" for name, argument in table.arguments.items() if argument)
    heard = f"The others said:\n{said}\n" if said else ""
    own = ", ".join(list(table.own.ranking)[: table.k]) if table.own is not None else "nothing"
    return (
        f"{_asked(table)}The candidates are:\n{_described(table)}\n"
        f"The mediator's tentative decision is: {', '.join(table.tentative.slate)}. {table.justification}\n"
        f"Your first choices were: {own}.\n{heard}"
        "Do you accept this decision? If not, hand in a revised ranking of all candidates that moves towards what the "
        f"others can accept. In `argument`, say why (at most {LONGEST_ARGUMENT} characters)."
    )


def rating_task(phrases: Sequence[str], table: Table) -> str:
    """Ask how much each attribute matters, for models whose token probabilities cannot be read."""
    return f"{_asked(table)}{rating_prompt(phrases)}"


class Ballot(BaseModel):
    """A ranking, best first, and why."""

    ranking: list[str]
    argument: str = ""


class Answer(Ballot):
    """Whether a tentative outcome is accepted; the ranking counts if it is not."""

    accept: bool


def ballot_schema(table: Table) -> type[Ballot]:
    """The form of a ballot on these candidates.

    The schema that is sent names the candidates and their number; what comes back is only required to be a list of
    texts, so that a faulty ranking can be counted and its usable part kept.
    """
    return create_model("Ballot", __base__=Ballot, **_fields(table))


def response_schema(table: Table) -> type[Answer]:
    """The form of an answer to a tentative outcome on these candidates, as lenient as `ballot_schema`."""
    return create_model("Answer", __base__=Answer, **_fields(table))


def _fields(table: Table) -> dict[str, Any]:
    return {"ranking": (list[str], _ranking_field(table)), "argument": (str, _argument_field())}


def _ranking_field(table: Table) -> Any:
    ids = list(table.candidates.ids)
    limits: dict[str, Any] = {"items": {"type": "string", "enum": ids}, "minItems": len(ids), "maxItems": len(ids)}
    return Field(description="all candidates, best first", json_schema_extra=limits)


def _argument_field() -> Any:
    return Field(
        default="", description="why, in one or two sentences", json_schema_extra={"maxLength": LONGEST_ARGUMENT}
    )


def _asked(table: Table) -> str:
    """The request in its own words, which larger models understand; nothing for a request without words."""
    words = table.request.text or table.request.wish
    return f"The request of this round: {words}\n" if words else ""


def _described(table: Table) -> str:
    return "\n".join(f"- {item}: {table.candidates.describe(item)}" for item in table.candidates.ids)
