"""Training: the recommender, then who is who (stage 1), then preferences that do not depend on it (stage 2)."""
