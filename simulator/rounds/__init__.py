"""One round from the inside: publishing, the floor on which stakeholders are asked, its events, its evaluation."""
