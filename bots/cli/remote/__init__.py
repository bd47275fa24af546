"""Commands that talk to a running arena by its API: standard library and msgspec only."""
