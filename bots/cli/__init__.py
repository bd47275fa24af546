"""The command line for bot authors: the arena's referee and rules, no site and no account."""
