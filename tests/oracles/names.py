"""Which mediator, with which parameters, is the rule that an oracle means by a name; or why none here is.

Names are those of the sources: one name can mean different things in different files. Every name of every file stands
here, either as a mediator (properties of slates: as the function that checks them) or as `NotHere`; `test_names.py`
fails on any other.
"""


class NotHere(str):
    """Why no mediator decides by this rule."""

    __slots__ = ()


SET = NotHere("a set of items without a rule that chooses from it")
LEXICOGRAPHIC = NotHere("refines a rule by a second objective that no mediator has")

ORDINAL: dict[str, str] = {
    "anti_plurality": "anti_plurality",
    "baldwin": "baldwin",
    "borda": "borda",
    "bucklin": "bucklin",
    "condorcet": "condorcet",
    "coombs": "coombs",
    "copeland": "copeland",
    "dowdall": "dowdall",
    "expanding_approvals": "expanding_approvals",
    "irv": "irv",
    "kemeny": "kemeny",
    "minimax": "minimax",
    "nanson": "nanson",
    "pairwise": "copeland",  # the table of duels, which stands in the trace of every rule on duels
    "plurality": "plurality",
    "quota_borda_system": NotHere("stands in the source as what expanding approvals improve on"),
    "ranked_pairs": "ranked_pairs",
    "schulze": "schulze",
    "smith_set": SET,
    "split_cycle": "split_cycle",
    "squared_kemeny": "squared_kemeny",
    "stable_voting": NotHere("a recursion over all sets of items"),
    "stv": "stv",
}
APPROVAL: dict[str, str] = {
    "av": "av",
    "cc": "cc",
    "equal-shares": "mes(completion=phragmen)",
    "equal-shares-with-av-completion": "mes(completion=utilitarian)",
    "equal-shares-with-increment-completion": NotHere("mes has the completions phragmen, utilitarian and none"),
    "equal-shares-without-completion": "mes(completion=none)",
    "geom2": NotHere("Thiele's method with the gains 1, 1/2, 1/4, ..."),
    "greedy-monroe": NotHere("takes ballots in the order of voters; greedy_monroe treats all supporters alike"),
    "leximaxphragmen": LEXICOGRAPHIC,
    "lexcc": LEXICOGRAPHIC,
    "lexminimaxav": LEXICOGRAPHIC,
    "maximin-support": NotHere("chooses by the optimum of a linear program at every step"),
    "minimaxav": NotHere("minimises the largest Hamming distance to a ballot"),
    "minimaxphragmen": NotHere("Phragmen's optimal loads; seq_phragmen distributes them step by step"),
    "monroe": "monroe",
    "pav": "pav",
    "phragmen-enestroem": NotHere("a quota method on approvals"),
    "revseqpav": "revseq_pav",
    "sav": "sav",
    "seqcc": "seq_cc",
    "seqpav": "seq_pav",
    "seqphragmen": "seq_phragmen",
    "seqslav": NotHere("the greedy form of slav"),
    "slav": "slav",
}
PERPETUAL: dict[str, str] = {
    "av": "av",
    "per_2nd_prize": NotHere("an unpublished experiment of the author's program"),
    "per_consensus": "perpetual_consensus",
    "per_equality": "perpetual_equality",
    "per_minmax_dryspell": "perpetual_min_dry_spell",
    "per_nash": "perpetual_nash",
    "per_pav": "perpetual_pav",
    "per_phragmen": "perpetual_phragmen",
    "per_quota": "perpetual_quota",
    "per_quota_new": "perpetual_quota(variant=mod)",
    "per_reset": "perpetual_reset",
    "per_unitcost": "perpetual_unit_cost",
    "random_dictatorship": "random_dictatorship",
    "random_serial_dictatorship": "random_serial_dictatorship",
    "rotating_dictatorship": NotHere("whose turn it is follows from the voters' names"),
    "rotating_serial_dictatorship": NotHere("whose turn it is follows from the voters' names"),
}
ONLINE: dict[str, str] = {
    "greedy": "online_nash",
    "leximin": "online_leximin",
    "pf": "proportional_fair",
    "util": "utilitarian",
}
SLATES: dict[str, str] = {
    "chamberlin_courant_cardinal": "cardinal_cc",
    "egalitarian": "egalitarian_slate",
    "egalitarian_cc": "egalitarian_cc",
    "leximin": "leximin_slate",
    "nash": "nash_slate",
    "pav_cardinal_harmonic_owa": "owa_pav",
    "utilitarian": "utilitarian",
}
PROPERTIES: dict[str, str] = {
    "core": NotHere("all groups and all slates that they could buy"),
    "ejr": "satisfies_ejr",
    "ejr+": "satisfies_ejr_plus",
    "fjr": NotHere("all groups and all weakly cohesive sets of items"),
    "jr": "satisfies_jr",
    "pareto": "is_pareto_efficient",
    "pjr": "satisfies_pjr",
    "priceability": NotHere("a linear program for prices"),
    "stable-priceability": NotHere("a linear program for prices"),
}


def carried(names: dict[str, str]) -> dict[str, str]:
    """The names that some mediator stands for."""
    return {name: mediator for name, mediator in names.items() if not isinstance(mediator, NotHere)}
