"""Experiments: methods x weights x seeds, each trained and measured once, as tables and figures."""
