from django.apps import AppConfig


class RecordingsConfig(AppConfig):
    name = "arena.recordings"
