from django.apps import AppConfig


class ReversiAnalysisConfig(AppConfig):
    name = "arena.games.reversi.analysis"
    label = "reversi_analysis"

    def ready(self) -> None:
        from arena.accounts import permissions
        from arena.accounts.panels import match_actions
        from arena.games.reversi.analysis import workload
        from arena.games.reversi.analysis.match_panel import analysable_match
        from arena.games.reversi.analysis.queries import is_under_way, verdict_job
        from arena.games.reversi.analysis.review import review
        from arena.games.reversi.analysis.services import JOBS, RULES
        from arena.games.reversi.recorded_line import GAME
        from arena.matches import reviews
        from arena.platform.jobs.workers import register_queue
        from arena.platform.workers import work
        from arena.ratings import spare_capacity

        permissions.register(RULES)
        reviews.register(GAME, review, panel="reversi_analysis/match_panel.html", job=verdict_job)
        register_queue(JOBS)
        work.register(workload.SOURCE)
        spare_capacity.register(lambda games: is_under_way())  # it needs a core, whatever games a worker plays
        match_actions.register("reversi_analysis/match_action.html", analysable_match)
