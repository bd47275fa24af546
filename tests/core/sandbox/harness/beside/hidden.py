"""Must not be visible in a jail."""
