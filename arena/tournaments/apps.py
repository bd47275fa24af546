from typing import Any

from django.apps import AppConfig

from arena.live import topics


def everybody(user: Any, tournament_id: int) -> bool:
    """Tournaments are public."""
    return True


class TournamentsConfig(AppConfig):
    name = "arena.tournaments"

    def ready(self) -> None:
        from arena.matches.hooks import register
        from arena.matches.models import Purpose
        from arena.submissions.panels import bot_panels, profile_panels
        from arena.tournaments.announcing import TOPIC, newest_number
        from arena.tournaments.entry_queries import participations_of_bot, participations_of_person
        from arena.tournaments.hooks import HOOKS

        topics.register(TOPIC, everybody, newest_number)
        register(Purpose.TOURNAMENT, HOOKS)
        bot_panels.register("tournaments/participations.html", participations_of_bot)
        profile_panels.register("tournaments/participations.html", participations_of_person)
