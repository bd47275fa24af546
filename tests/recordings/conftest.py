from tests.recordings.example import example

__all__ = ["example"]
