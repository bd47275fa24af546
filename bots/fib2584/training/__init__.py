"""Train the learned bot's values, and generate the arena's exact table; nothing here runs on the site."""
