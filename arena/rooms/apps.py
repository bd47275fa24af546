from django.apps import AppConfig

from arena.live import topics


class RoomsConfig(AppConfig):
    name = "arena.rooms"

    def ready(self) -> None:
        from arena.fleet import work
        from arena.leases.workers import serve
        from arena.rooms.bots import seating, workload
        from arena.rooms.live.broadcast import TOPIC, may_watch, newest_number
        from arena.rooms.queries.seats import of_bot
        from arena.submissions.panels import bot_panels

        topics.register(TOPIC, may_watch, newest_number)
        serve(seating.LANE)
        work.register(workload.SOURCE)
        bot_panels.register("rooms/bot_panel.html", of_bot)
