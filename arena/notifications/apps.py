from django.apps import AppConfig


class NotificationsConfig(AppConfig):
    name = "arena.notifications"

    def ready(self) -> None:
        from arena.accounts.panels import settings_panels
        from arena.notifications.preferences import preferences_form
        from arena.ui.page_parts import PageRegion, register_part

        settings_panels.register("notifications/settings_panel.html", preferences_form)
        register_part(PageRegion.TOOLS, "notifications/bell.html", order=30)
