from django.apps import AppConfig


class DuelsConfig(AppConfig):
    name = "arena.duels"

    def ready(self) -> None:
        from arena.duels.queries import own_duel
        from arena.matches.panels import match_actions

        match_actions.register("duels/own_action.html", own_duel)
