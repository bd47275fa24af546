from django.apps import AppConfig


class PagesConfig(AppConfig):
    name = "arena.pages"

    def ready(self) -> None:
        from arena.ui.page_parts import PageRegion, register_part

        register_part(PageRegion.NAVIGATION, "pages/navigation.html", order=10)
        register_part(PageRegion.TOOLS, "pages/account_menu.html", order=50)
        register_part(PageRegion.END, "pages/footer.html", order=10)
        register_part(PageRegion.END, "pages/bottom_nav.html", order=20)
