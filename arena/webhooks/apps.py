from django.apps import AppConfig


class WebhooksConfig(AppConfig):
    name = "arena.webhooks"

    def ready(self) -> None:
        from arena.accounts.panels import settings_panels
        from arena.notifications import kinds
        from arena.submissions.domain_events import check_finished, version_activated
        from arena.tournaments.events.domain_events import activity_logged
        from arena.webhooks import event_handlers
        from arena.webhooks.notifications import DISABLED
        from arena.webhooks.queries import is_offered

        kinds.register_kind(DISABLED)
        check_finished.subscribe(event_handlers.on_check_finished)
        version_activated.subscribe(event_handlers.on_version_activated)
        activity_logged.subscribe(event_handlers.on_activity)
        settings_panels.register("webhooks/settings_panel.html", is_offered)
