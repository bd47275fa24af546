"""Training programs for the shipped models; nothing here runs on the site."""
