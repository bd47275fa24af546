from django.apps import AppConfig


class GoldenPointAnalysisConfig(AppConfig):
    name = "arena.games.golden_point.analysis"
    label = "golden_point_analysis"

    def ready(self) -> None:
        from arena.accounts import permissions
        from arena.accounts.panels import match_actions
        from arena.games.golden_point.analysis.review import review
        from arena.games.golden_point.analysis.services import JOBS, RULES
        from arena.games.golden_point.analysis.sources import GAME, analysable_match
        from arena.games.golden_point.analysis.workload import SOURCE
        from arena.matches import reviews
        from arena.platform.jobs.workers import register_queue
        from arena.platform.workers.work import register

        permissions.register(RULES)
        register_queue(JOBS)
        register(SOURCE)
        match_actions.register("golden_point_analysis/match_action.html", analysable_match)
        reviews.register(GAME, review)
