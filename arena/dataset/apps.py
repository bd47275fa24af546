from django.apps import AppConfig


class DatasetConfig(AppConfig):
    """The app that publishes the data of finished matches as files for research."""

    name = "arena.dataset"
