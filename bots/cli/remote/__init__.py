"""Commands that use a running arena's API; they depend only on the standard library and msgspec."""
