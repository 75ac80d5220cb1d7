"""Preference files of PrefLib (preflib.org/format): .soc, .soi, .toc, .toi and .cat, both ways.

| format | a ballot |
| --- | --- |
| soc | ranks every alternative, no ties: `3: 2,1,4` is the order 2 > 1 > 4, three times |
| soi | ranks some alternatives, no ties; those left out are unranked (tied last) |
| toc | ranks every alternative, ties in braces: `3: 2,{1,4}` |
| toi | ranks some alternatives, ties in braces |
| cat | sorts alternatives into categories: `3: {1,4},{2}`; `{}` is an empty category |

A ballot's count is its weight. The categories of a .cat file are read twice: the first category holds what the ballot
approves, and all that are not empty are the tiers of its ranking, best first; an alternative in no category is neither
approved nor ranked. `{}` alone is an abstention.

Source: N. Mattei and T. Walsh, PrefLib: a library for preferences, 2013.
"""

from simulator.inputs.preflib.read import read_preflib
from simulator.inputs.preflib.write import preflib_text

FORMATS = ("cat", "soc", "soi", "toc", "toi")

__all__ = ["FORMATS", "preflib_text", "read_preflib"]
