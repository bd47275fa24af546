"""The command line for bot authors: the arena's referee and rules, without a site or an account."""
