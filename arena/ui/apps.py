from django.apps import AppConfig


class UiConfig(AppConfig):
    name = "arena.ui"
