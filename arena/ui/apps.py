from django.apps import AppConfig


class UiConfig(AppConfig):
    name = "arena.ui"

    def ready(self) -> None:
        from arena.ui import form_errors
        from arena.ui.page_parts import PageRegion, register_part

        form_errors.install()
        register_part(PageRegion.TOOLS, "components/theme_toggle.html", order=20)
        register_part(PageRegion.TOOLS, "components/language_switch.html", order=40)
