from django.apps import AppConfig


class DatasetConfig(AppConfig):
    """What anybody may see of finished matches, as files for research."""

    name = "arena.dataset"
