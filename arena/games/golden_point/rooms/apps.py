from django.apps import AppConfig

from arena.platform.live import topics


class RoomsConfig(AppConfig):
    name = "arena.games.golden_point.rooms"

    def ready(self) -> None:
        from arena.accounts import permissions
        from arena.accounts.panels import bot_panels, home_panels
        from arena.games.golden_point.rooms.bots import seating, workload
        from arena.games.golden_point.rooms.bots.seating import BOT_REMOVED
        from arena.games.golden_point.rooms.live.broadcast import TOPIC, may_watch, newest_number
        from arena.games.golden_point.rooms.queries.lobby import featured_rooms
        from arena.games.golden_point.rooms.queries.seats import seats_of_bot
        from arena.games.golden_point.rooms.rounds.retention import delete_logs
        from arena.games.golden_point.rooms.rules import RULES
        from arena.notifications import kinds
        from arena.platform import retention
        from arena.platform.jobs.workers import register_queue
        from arena.platform.workers import work

        permissions.register(RULES)
        kinds.register_kind(BOT_REMOVED)
        topics.register(TOPIC, may_watch, newest_number)
        register_queue(seating.JOBS)
        work.register(workload.SOURCE)
        retention.register(delete_logs)
        bot_panels.register("rooms/bot_panel.html", seats_of_bot)
        home_panels.register("rooms/home_panel.html", featured_rooms)
