from django.apps import AppConfig


class RecordingsConfig(AppConfig):
    name = "arena.games.golden_point.recordings"
