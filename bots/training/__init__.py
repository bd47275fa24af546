"""Programs that made what is shipped; nothing here runs on the site."""
