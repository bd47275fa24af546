from django.apps import AppConfig

from arena.platform.live import topics


class MatchesConfig(AppConfig):
    name = "arena.matches"

    def ready(self) -> None:
        from arena.accounts.panels import bot_panels, profile_panels
        from arena.matches import broadcast, retention_panel, workload
        from arena.matches.loss_notices import LOSS
        from arena.matches.queries import recent_matches_of_bot, recent_matches_of_person
        from arena.matches.services import JOBS
        from arena.matches.visibility import may_see
        from arena.notifications import kinds
        from arena.platform.jobs.workers import register_queue
        from arena.platform.workers import operator_panels, work

        topics.register(broadcast.PUBLIC, may_see, broadcast.newest_event_number)
        topics.register_session_topics(broadcast.SEATS, broadcast.may_watch_seat, broadcast.newest_event_number_of_seat)
        kinds.register_kind(LOSS)
        register_queue(JOBS)
        work.register(workload.SOURCE)
        operator_panels.register(workload.OPERATOR_PANEL)
        operator_panels.register(retention_panel.OPERATOR_PANEL)
        bot_panels.register("matches/bot_panel.html", recent_matches_of_bot)
        profile_panels.register("matches/profile_panel.html", recent_matches_of_person)
