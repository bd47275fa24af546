from django.apps import AppConfig


class SuitPairsPolicyConfig(AppConfig):
    """The learnt policy's choices, shown on the pages of finished matches."""

    name = "arena.games.suit_pairs.policy"
    label = "suit_pairs_policy"

    def ready(self) -> None:
        from arena.accounts.panels import match_panels
        from arena.games.suit_pairs.policy.judgements import prepare
        from arena.games.suit_pairs.policy.match_panel import policy_of_match
        from arena.games.suit_pairs.policy.review import review
        from arena.games.suit_pairs.rules import GAME
        from arena.matches import preparations, reviews

        preparations.register(GAME.name, prepare)
        reviews.register(GAME.name, review)
        match_panels.register("suit_pairs_policy/match_panel.html", policy_of_match)
