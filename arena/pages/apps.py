from django.apps import AppConfig


class PagesConfig(AppConfig):
    name = "arena.pages"
