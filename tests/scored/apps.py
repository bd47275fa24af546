from django.apps import AppConfig


class DareConfig(AppConfig):
    """The Django app of an installed game, as a site loads it from EXTRA_GAMES."""

    name = "tests.scored"
    label = "dare"
