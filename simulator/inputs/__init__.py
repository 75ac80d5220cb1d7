"""Reading what others wrote: text, CSV, JSON, YAML and code, with every fault named by file and line."""
