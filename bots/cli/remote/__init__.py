"""Commands that use the API of a running arena: standard library and msgspec only."""
