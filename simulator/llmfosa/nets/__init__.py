"""The networks of LLMFOSA: collaborative encoders and the sensitive encoder (PyTorch)."""
