"""What the rules of one family share: their base classes and arithmetic. The rules themselves stand one level up."""
