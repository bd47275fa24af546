from typing import Any

from django.apps import AppConfig

from arena.live import topics


def everybody(user: Any, match_id: int) -> bool:
    """Matches are public."""
    return True


class MatchesConfig(AppConfig):
    name = "arena.matches"

    def ready(self) -> None:
        topics.register("matches", everybody)
