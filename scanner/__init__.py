"""Scanner."""
