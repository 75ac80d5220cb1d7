"""Table 1 of Dawid and Skene, 1979: 45 patients judged fit for anaesthesia (1 to 4), by five anaesthetists.

The first of them judged every patient three times.
"""

import numpy as np

_TABLE = """
111 1 1 1 1|333 4 3 3 4|112 2 1 2 2|222 3 1 2 1|222 3 2 2 2|222 3 3 2 2|122 2 1 1 1|333 3 4 3 3|222 2 2 2 3
232 2 2 2 3|444 4 4 4 4|222 3 3 4 3|111 1 1 1 1|222 3 2 1 2|121 1 1 1 1|111 2 1 1 1|111 1 1 1 1|111 1 1 1 1
222 2 2 2 1|222 1 3 2 2|222 2 2 2 2|222 2 2 2 1|222 3 2 2 2|221 2 2 2 2|111 1 1 1 1|111 1 1 1 1|232 2 2 2 2
111 1 1 1 1|111 1 1 1 1|112 1 1 2 1|111 1 1 1 1|333 3 2 3 3|111 1 1 1 1|222 2 2 2 2|222 3 2 3 2|433 4 3 4 3
221 2 2 3 2|232 3 2 3 3|333 3 4 3 2|111 1 1 1 1|111 1 1 1 1|121 2 1 1 1|232 2 2 2 2|121 1 1 1 1|222 2 2 2 2
"""


def judgements() -> np.ndarray:
    """Codes 0 to 3, `(45, 5, 3)`; -1 where an anaesthetist judged once."""
    labels = np.full((45, 5, 3), -1)
    for patient, row in enumerate(_TABLE.strip().replace("\n", "|").split("|")):
        for observer, grades in enumerate(row.split()):
            labels[patient, observer, : len(grades)] = [int(grade) - 1 for grade in grades]
    return labels
