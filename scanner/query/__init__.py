"""Questions about the artifacts of a run."""
