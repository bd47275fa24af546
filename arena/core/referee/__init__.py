"""Play one match between bots and report what happened; independent of the site and of frameworks."""
