"""Not in the jail."""
