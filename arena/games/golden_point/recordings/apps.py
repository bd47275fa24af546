from django.apps import AppConfig


class RecordingsConfig(AppConfig):
    name = "arena.games.golden_point.recordings"

    def ready(self) -> None:
        from arena.accounts import permissions
        from arena.games.golden_point.recordings.queries import RULES

        permissions.register(RULES)
