"""Infrastructure that is independent of games and pages."""
