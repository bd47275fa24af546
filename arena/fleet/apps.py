from django.apps import AppConfig


class FleetConfig(AppConfig):
    name = "arena.fleet"

    def ready(self) -> None:
        from arena.fleet import signals

        signals.connect()
