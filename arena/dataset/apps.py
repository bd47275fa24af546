from django.apps import AppConfig


class DatasetConfig(AppConfig):
    """Public data of finished matches, as files for research."""

    name = "arena.dataset"
