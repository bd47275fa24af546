from django.apps import AppConfig


class DuelsConfig(AppConfig):
    name = "arena.duels"

    def ready(self) -> None:
        from arena.duels import workload
        from arena.duels.hooks import HOOKS
        from arena.duels.queries import own_duel
        from arena.fleet import work
        from arena.matches.hooks import register
        from arena.matches.models import Purpose
        from arena.matches.panels import match_actions

        register(Purpose.DUEL, HOOKS)
        work.register(workload.SOURCE)
        match_actions.register("duels/own_action.html", own_duel)
