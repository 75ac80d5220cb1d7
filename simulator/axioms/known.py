"""All axioms, by name, in the order in which they are told."""

from __future__ import annotations

from simulator.axioms.anonymity import ANONYMITY
from simulator.axioms.base import Axiom
from simulator.axioms.committee_monotonicity import COMMITTEE_MONOTONICITY
from simulator.axioms.condorcet import CONDORCET, CONDORCET_LOSER
from simulator.axioms.contract import CONTRACT
from simulator.axioms.homogeneity import HOMOGENEITY
from simulator.axioms.monotonicity import MONOTONICITY
from simulator.axioms.neutrality import NEUTRALITY
from simulator.axioms.pareto import PARETO
from simulator.axioms.participation import OPTIMISTS_PARTICIPATION, PARTICIPATION
from simulator.axioms.reinforcement import REINFORCEMENT
from simulator.axioms.representation import EJR, JR, PJR
from simulator.axioms.resoluteness import RESOLUTENESS
from simulator.axioms.strategyproofness import STRATEGYPROOFNESS
from simulator.axioms.unanimity import UNANIMITY

AXIOMS: dict[str, Axiom] = {
    axiom.name: axiom
    for axiom in (
        *CONTRACT,
        ANONYMITY,
        NEUTRALITY,
        RESOLUTENESS,
        CONDORCET,
        MONOTONICITY,
        PARETO,
        PARTICIPATION,
        STRATEGYPROOFNESS,
        JR,
        PJR,
        EJR,
        COMMITTEE_MONOTONICITY,
        UNANIMITY,
        CONDORCET_LOSER,
        HOMOGENEITY,
        REINFORCEMENT,
        OPTIMISTS_PARTICIPATION,
    )
}
