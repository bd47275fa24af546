from django.apps import AppConfig


class PlayConfig(AppConfig):
    name = "arena.play"

    def ready(self) -> None:
        from arena.accounts.panels import bot_actions, match_actions
        from arena.matches.callbacks import register, register_guest_seat
        from arena.matches.models import Purpose
        from arena.platform.jobs.workers import register_queue
        from arena.platform.workers import work
        from arena.play import workload
        from arena.play.hints import JOBS
        from arena.play.match_callbacks import CALLBACKS
        from arena.play.opponents import challengeable_bot
        from arena.play.queries import OWN_ACTION, guest_seat, own_duel

        register(Purpose.DUEL, CALLBACKS)
        register_queue(JOBS)
        work.register(workload.SOURCE)
        match_actions.register(OWN_ACTION, own_duel)
        register_guest_seat(guest_seat)
        bot_actions.register("play/bot_action.html", challengeable_bot)
