"""The terms of LLMFOSA's objective and of its baselines: one file a term, plain functions and small modules.

All but `text` and `directions` compute with PyTorch, on the device and in the precision of what they are given.
"""
