from django.apps import AppConfig


class StudiesConfig(AppConfig):
    name = "arena.studies"

    def ready(self) -> None:
        from arena.fleet import work
        from arena.leases.workers import serve
        from arena.matches.panels import match_actions, match_panels
        from arena.ratings import idle
        from arena.studies import workload
        from arena.studies.match_panel import game_of_match, studied_match
        from arena.studies.queries import is_under_way
        from arena.studies.services import LANE

        serve(LANE)
        work.register(workload.SOURCE)
        idle.register(lambda games: is_under_way())  # whatever is played, it needs a core
        match_actions.register("studies/match_action.html", studied_match)
        match_panels.register("studies/match_panel.html", game_of_match)
