from django.apps import AppConfig


class DareConfig(AppConfig):
    """An installed game as a site sees it, see EXTRA_GAMES."""

    name = "tests.scored"
    label = "dare"
