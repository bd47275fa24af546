"""Never enters a jail: an empty package takes its place."""
