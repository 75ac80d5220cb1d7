"""Questions about a scenario that need no model: who is at odds with whom, whom each mediator serves, what fills up."""
