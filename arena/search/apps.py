from django.apps import AppConfig


class SearchConfig(AppConfig):
    name = "arena.search"

    def ready(self) -> None:
        from arena.search import indexing
        from arena.ui.page_parts import Slot, register

        indexing.connect()
        register(Slot.TOOLS, "search/button.html", order=10)
        register(Slot.END, "search/dialog.html", order=30)
