from django.apps import AppConfig


class InsightsConfig(AppConfig):
    name = "arena.insights"

    def ready(self) -> None:
        from arena.insights.match_action import explained_match
        from arena.insights.services import LANE
        from arena.leases.workers import serve
        from arena.matches.panels import match_actions

        serve(LANE)
        match_actions.register("insights/match_action.html", explained_match)
