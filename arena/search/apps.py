from django.apps import AppConfig


class SearchConfig(AppConfig):
    name = "arena.search"

    def ready(self) -> None:
        from arena.search import indexing
        from arena.ui.page_parts import Slot, register_part

        indexing.connect_signals()
        register_part(Slot.TOOLS, "search/button.html", order=10)
        register_part(Slot.END, "search/dialog.html", order=30)
