"""Infrastructure that knows no game and no page."""
