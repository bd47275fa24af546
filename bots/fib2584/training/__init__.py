"""Training of the learnt bot's values, and of the arena's exact table; nothing here runs on the site."""
