"""Results of made-up trainings."""

import numpy as np

from simulator.llmfosa.tables import Result, Results


def trained(seeds=5, weights=(0.1, 0.3, 1.0)):
    """Two methods over weights, "fairer" with .02 less disparity at equal accuracy, and a third without weights."""
    rows = []
    for seed in range(seeds):
        shift = np.random.default_rng(seed).normal(0, 0.001)
        for method, gain in (("fairer", 0.02), ("plain", 0.0)):
            for weight in weights:
                quality = 0.2 - 0.02 * weight + shift
                figures = {"dp@10": 2 * quality - 0.15 - gain + shift / 4, "ndcg@10": quality, "dp_floor@10": 0.14}
                rows.append(Result(method, seed, figures, weight))
        rows.append(Result("BPR_MF & co", seed, {"ndcg@10": 0.2 + shift, "dp@10": 0.29, "seconds": 100.0}))
    return Results.of(rows)
