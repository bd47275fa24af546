"""Never visible in a jail: an empty package replaces it."""
