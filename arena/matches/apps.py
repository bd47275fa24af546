from typing import Any

from django.apps import AppConfig

from arena.live import topics


def everybody(user: Any, match_id: int) -> bool:
    """Matches are public."""
    return True


class MatchesConfig(AppConfig):
    name = "arena.matches"

    def ready(self) -> None:
        from arena.matches.queries import recent_for_bot, recent_for_person
        from arena.submissions.panels import bot_panels, profile_panels

        topics.register("matches", everybody)
        bot_panels.register("matches/bot_panel.html", recent_for_bot)
        profile_panels.register("matches/profile_panel.html", recent_for_person)
