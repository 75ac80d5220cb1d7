"""Parameters of a class as a frozen dataclass, built from what a scenario file says and checked by type."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeVar

from simulator.inputs.nearest import nearest
from simulator.inputs.wording import in_words

if TYPE_CHECKING:
    from pydantic import TypeAdapter
    from pydantic_core import ErrorDetails

    from agents.base import Stakeholder
    from simulator.scenario import Party

T = TypeVar("T")


def make_options(kind: type[T], params: Mapping[str, Any], owner: str) -> T:
    """Build `kind(**params)` with type checks.

    Raises:
        ValueError: an unknown parameter or a value of the wrong kind; the message names the owner and the nearest name.
    """
    known = [field.name for field in fields(kind) if field.init]  # type: ignore[arg-type]  # kind is a dataclass
    unknown = [key for key in params if key not in known]
    if unknown:
        raise ValueError("; ".join(f"{owner} has no parameter '{key}'{_tail(key, known)}" for key in unknown))
    from pydantic import PydanticUserError, ValidationError

    try:
        made: T = _adapter(kind).validate_python(dict(params))  # type: ignore[arg-type]  # every class is hashable
    except ValidationError as error:
        raise ValueError("; ".join(f"{owner}: {_fault(detail)}" for detail in error.errors())) from None
    except PydanticUserError as error:
        reason = str(error).splitlines()[0]
        raise ValueError(f"{owner}: a parameter's type cannot be checked, give it a plain one: {reason}") from None
    except Exception as error:  # a user's own checks may fail in any way
        raise ValueError(f"{owner} cannot be made: {type(error).__name__}: {error}") from None
    flags = [key for key, value in params.items() if value is True or value is False]
    taken = [key for key in flags if type(getattr(made, key, True)) in (int, float)]
    if taken:  # pydantic takes true for 1
        raise ValueError("; ".join(f"{owner}: '{key}' must be a number, not true or false" for key in taken))
    return made


@lru_cache(maxsize=256)
def _adapter(kind: type[T]) -> TypeAdapter[T]:
    """Making one takes far longer than using it."""
    from pydantic import TypeAdapter

    return TypeAdapter(kind)


def _tail(key: str, known: list[str]) -> str:
    return nearest(key, known) if known else "; it takes none"


def _fault(detail: ErrorDetails) -> str:
    where = ".".join(str(part) for part in detail["loc"])
    if detail["type"] == "missing":
        return f"parameter '{where}' is missing"
    return f"'{where}' {in_words(detail)}" if where else detail["msg"].removeprefix("Value error, ")


def rational_options(party: Party, kind: type[Stakeholder]) -> Party:
    """The party with the options of another class: those that both classes have keep their values."""
    known = [field.name for field in fields(kind.Options) if field.init]
    shared = {name: getattr(party.options, name) for name in known if hasattr(party.options, name)}
    return replace(party, options=kind.Options(**shared))
