from django.apps import AppConfig


class SearchConfig(AppConfig):
    name = "arena.search"

    def ready(self) -> None:
        from arena.search import indexing
        from arena.ui.page_parts import PageRegion, register_part

        indexing.connect_signals()
        register_part(PageRegion.TOOLS, "search/button.html", order=10)
        register_part(PageRegion.END, "search/dialog.html", order=30)
