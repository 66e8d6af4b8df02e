"""A run's artifacts offered to agents: what they show, how a new run is taken up, and the protocol that carries it."""
