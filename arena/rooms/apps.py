from django.apps import AppConfig

from arena.live import topics


class RoomsConfig(AppConfig):
    name = "arena.rooms"

    def ready(self) -> None:
        from arena.rooms.broadcast import TOPIC, may_watch, newest_number

        topics.register(TOPIC, may_watch, newest_number)
