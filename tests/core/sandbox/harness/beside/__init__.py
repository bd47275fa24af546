"""A package around another one of the harness; bots see an empty one."""
