"""A package around another package of the harness; bots see an empty package instead."""
