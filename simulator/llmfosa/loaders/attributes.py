"""Attributes of users as codes: gender, age in MovieLens' seven bands, and any named one."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from simulator.llmfosa.interactions import UserAttribute
from simulator.llmfosa.loaders.reading import Table, as_numbers

GENDERS = ("F", "M")
AGE_BANDS = ("under 18", "18-24", "25-34", "35-44", "45-49", "50-55", "56 or older")
_BAND_STARTS = (18, 25, 35, 45, 50, 56)


def gender(table: Table, column: str = "gender") -> UserAttribute:
    """F and M in either case; -1 where nothing stands.

    Raises:
        InputError: Something else stands there.
    """
    texts = np.char.upper(np.char.strip(table.texts[column].astype(str)))
    codes = np.select([texts == "F", texts == "M"], [0, 1], -1).astype(np.int64)
    table.refuse((codes < 0) & (texts != ""), f"{column} must be F, M or empty (found {{found}})", column)
    return UserAttribute(GENDERS, codes)


def age_bands(years: NDArray[np.float64]) -> UserAttribute:
    """The seven bands of MovieLens-1M, of ages in years or of the bands' own starts (1, 18, 25, ...); -1 for NaN."""
    codes = np.searchsorted(_BAND_STARTS, years, side="right").astype(np.int64)
    return UserAttribute(AGE_BANDS, np.where(np.isnan(years), -1, codes))


def ages(table: Table, column: str = "age") -> NDArray[np.float64]:
    """A text column of years as numbers; NaN where nothing stands.

    Raises:
        InputError: Something else stands there.
    """
    texts = table.texts[column]
    known = texts != ""
    years = np.full(len(texts), np.nan)
    years[known] = as_numbers(table.path, table.lines[known], column, texts[known])
    return years


def of_column(table: Table, column: str) -> UserAttribute:
    """What a text column says of the users: "gender" and "age" in this project's values, others as they are."""
    if column == "gender":
        return gender(table)
    return age_bands(ages(table)) if column == "age" else named(table.texts[column])


def named(texts: NDArray[np.object_]) -> UserAttribute:
    """The different texts in alphabetical order; -1 where nothing stands."""
    stripped = np.char.strip(texts.astype(str))
    values, codes = np.unique(stripped, return_inverse=True)
    if len(values) and values[0] == "":
        return UserAttribute(tuple(map(str, values[1:])), codes.astype(np.int64) - 1)
    return UserAttribute(tuple(map(str, values)), codes.astype(np.int64))
