from django.apps import AppConfig


class InsightsConfig(AppConfig):
    name = "arena.insights"

    def ready(self) -> None:
        from arena.fleet.work import register
        from arena.insights.match_action import explained_match
        from arena.insights.services import LANE
        from arena.insights.workload import SOURCE
        from arena.leases.workers import serve
        from arena.matches.panels import match_actions

        serve(LANE)
        register(SOURCE)
        match_actions.register("insights/match_action.html", explained_match)
