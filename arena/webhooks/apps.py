from django.apps import AppConfig


class WebhooksConfig(AppConfig):
    name = "arena.webhooks"

    def ready(self) -> None:
        from arena.accounts.panels import settings_panels
        from arena.notifications import kinds
        from arena.submissions.domain_events import check_finished, version_activated
        from arena.tournaments.events.domain_events import activity_logged
        from arena.webhooks import recording
        from arena.webhooks.notifications import DISABLED
        from arena.webhooks.queries import is_offered

        kinds.register_kind(DISABLED)
        check_finished.subscribe(recording.on_check_finished)
        version_activated.subscribe(recording.on_version_activated)
        activity_logged.subscribe(recording.on_activity)
        settings_panels.register("webhooks/settings_panel.html", is_offered)
