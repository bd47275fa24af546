from django.apps import AppConfig


class SearchConfig(AppConfig):
    name = "arena.search"

    def ready(self) -> None:
        from arena.search import indexing

        indexing.connect()
