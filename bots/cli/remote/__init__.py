"""Commands that use the API of a running arena; they depend only on the standard library and msgspec."""
