from django.apps import AppConfig

from arena.platform.live import topics


class VersionTestsConfig(AppConfig):
    name = "arena.version_tests"

    def ready(self) -> None:
        from arena.accounts.panels import bot_panels
        from arena.matches.callbacks import register
        from arena.matches.models import Purpose
        from arena.notifications import kinds
        from arena.version_tests.bot_panel import tests_of_bot
        from arena.version_tests.events import TOPIC, may_watch, newest_event_number
        from arena.version_tests.match_callbacks import CALLBACKS
        from arena.version_tests.notifications import ENDED

        topics.register(TOPIC, may_watch, newest_event_number)
        register(Purpose.VERSION_TEST, CALLBACKS)
        kinds.register_kind(ENDED)
        bot_panels.register("version_tests/bot_panel.html", tests_of_bot)
