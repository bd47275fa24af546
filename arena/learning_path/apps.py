from django.apps import AppConfig


class LearningPathConfig(AppConfig):
    name = "arena.learning_path"

    def ready(self) -> None:
        from arena.accounts.panels import profile_panels
        from arena.learning_path import event_handlers
        from arena.learning_path.queries import reached_paths
        from arena.matches.domain_events import result_stored
        from arena.submissions.domain_events import version_activated
        from arena.tournaments.events.domain_events import activity_logged

        result_stored.subscribe(event_handlers.on_result)
        version_activated.subscribe(event_handlers.on_version_activated)
        activity_logged.subscribe(event_handlers.on_activity)
        profile_panels.register("learning_path/profile_panel.html", reached_paths)
