"""Nothing here is collected where the peers are not installed, nor together with the rest of the suite."""

import importlib.util

PEERS = ("abcvoting", "pref_voting", "votekit")

if not all(importlib.util.find_spec(peer) for peer in PEERS):
    collect_ignore_glob = ["test_*.py"]
