"""Training of the learned bot's values, and generation of the arena's exact table; nothing here runs on the site."""
