"""Pure rules, one module a game."""
