"""Rooms of the golden point: rounds by the clock, played over HTTP by whoever comes."""
