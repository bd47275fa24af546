from django.apps import AppConfig


class WorkersConfig(AppConfig):
    name = "arena.platform.workers"

    def ready(self) -> None:
        from arena.platform.workers import signals

        signals.connect()
