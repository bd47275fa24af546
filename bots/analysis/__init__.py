"""Games that were played, looked at again by the arena's own engine."""
