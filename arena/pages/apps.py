from django.apps import AppConfig


class PagesConfig(AppConfig):
    name = "arena.pages"

    def ready(self) -> None:
        from arena.ui.page_parts import Slot, register_part

        register_part(Slot.NAVIGATION, "pages/navigation.html", order=10)
        register_part(Slot.TOOLS, "pages/account_menu.html", order=50)
        register_part(Slot.END, "pages/footer.html", order=10)
        register_part(Slot.END, "pages/phone_bar.html", order=20)
