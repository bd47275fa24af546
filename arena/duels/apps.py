from django.apps import AppConfig


class DuelsConfig(AppConfig):
    name = "arena.duels"

    def ready(self) -> None:
        from arena.duels.hooks import HOOKS
        from arena.duels.queries import own_duel
        from arena.matches.hooks import register
        from arena.matches.models import Purpose
        from arena.matches.panels import match_actions

        register(Purpose.DUEL, HOOKS)
        match_actions.register("duels/own_action.html", own_duel)
