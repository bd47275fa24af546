from tests.games.golden_point.recordings.example import example

__all__ = ["example"]
