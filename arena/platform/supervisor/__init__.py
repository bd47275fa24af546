"""Run the whole arena as one process tree: broker, web server, workers and beat. This package uses no framework."""
