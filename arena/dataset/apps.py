from django.apps import AppConfig


class DatasetConfig(AppConfig):
    """App that publishes the data of finished matches as files for research."""

    name = "arena.dataset"
