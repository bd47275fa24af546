from django.apps import AppConfig

from arena.platform.live import topics


class TournamentsConfig(AppConfig):
    name = "arena.tournaments"

    def ready(self) -> None:
        from arena.accounts.panels import bot_panels, match_actions, profile_panels
        from arena.classes.queries import course_panels
        from arena.matches import retention
        from arena.matches.callbacks import register
        from arena.matches.models import Purpose
        from arena.ratings import spare_capacity
        from arena.tournaments.events.publishing import TOPIC, WITHHELD_TOPIC, newest_event_number
        from arena.tournaments.match_callbacks import CALLBACKS
        from arena.tournaments.queries.entries import participations_of_bot, participations_of_person
        from arena.tournaments.queries.next_match import following_matches
        from arena.tournaments.queries.tournaments import course_tournaments
        from arena.tournaments.rounds.reconciliation import is_about_to_release
        from arena.tournaments.services.record_retention import EXEMPT, matches_due_by_choice
        from arena.tournaments.visibility import may_follow_results, may_see

        topics.register(TOPIC, may_see, newest_event_number)
        topics.register(WITHHELD_TOPIC, may_follow_results, newest_event_number)
        register(Purpose.TOURNAMENT, CALLBACKS)
        retention.register_exemption(EXEMPT)
        retention.register_early_reduction(matches_due_by_choice)
        spare_capacity.register(is_about_to_release)
        match_actions.register("tournaments/next_match.html", following_matches)
        bot_panels.register("tournaments/participations.html", participations_of_bot)
        profile_panels.register("tournaments/participations.html", participations_of_person)
        course_panels.register("tournaments/course_panel.html", course_tournaments)
