"""text <-> pieces."""
