"""Golden-point rooms, in which anybody can play timed rounds over HTTP."""
