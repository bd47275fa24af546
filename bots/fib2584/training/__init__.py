"""Training of the learned bot's values, and of the arena's exact table; nothing here runs on the site."""
