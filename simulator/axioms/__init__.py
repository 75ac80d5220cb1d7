"""Axioms of social choice, as searches for a profile on which a rule breaks them.

    from simulator.axioms import AXIOMS, check_rule
    report = check_rule(registry.create("mediator", "borda"), profiles=200, seed=0)

One axiom (or one tight family) a file. An axiom is a function of a rule and a profile that gives None or a
`Counterexample`; `profiles.py` makes the profiles, `shrink.py` makes a counterexample small, `check.py` does both.
"""

from simulator.axioms.base import Axiom
from simulator.axioms.check import Report, Verdict, check_rule
from simulator.axioms.counterexample import Counterexample
from simulator.axioms.known import AXIOMS
from simulator.axioms.subject import RuleFailed, Subject

__all__ = ["AXIOMS", "Axiom", "Counterexample", "Report", "RuleFailed", "Subject", "Verdict", "check_rule"]
