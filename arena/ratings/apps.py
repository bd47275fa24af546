from django.apps import AppConfig


class RatingsConfig(AppConfig):
    name = "arena.ratings"

    def ready(self) -> None:
        from arena.accounts.panels import bot_panels
        from arena.ratings.bot_panel import rating_of_bot

        bot_panels.register("ratings/bot_panel.html", rating_of_bot)
