"""A package around another package of the harness; bots see it empty."""
