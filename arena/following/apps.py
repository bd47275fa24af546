from django.apps import AppConfig


class FollowingConfig(AppConfig):
    name = "arena.following"

    def ready(self) -> None:
        from arena.accounts import panels
        from arena.following import event_handlers
        from arena.following.panels import (
            bot_button,
            bot_feed,
            person_button,
            person_feed,
            tournament_button,
            tournament_feed,
        )
        from arena.following.texts import FOLLOWED
        from arena.notifications import kinds
        from arena.submissions.domain_events import version_activated
        from arena.tournaments.events.domain_events import activity_logged

        kinds.register_kind(FOLLOWED)
        version_activated.subscribe(event_handlers.on_version_activated)
        activity_logged.subscribe(event_handlers.on_activity)
        button, link = "following/button.html", "following/feed_link.html"
        panels.bot_actions.register(button, bot_button)
        panels.profile_actions.register(button, person_button)
        panels.tournament_actions.register(button, tournament_button)
        panels.bot_head.register(link, bot_feed)
        panels.profile_head.register(link, person_feed)
        panels.tournament_head.register(link, tournament_feed)
