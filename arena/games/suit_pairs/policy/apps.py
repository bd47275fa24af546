from django.apps import AppConfig


class SuitPairsPolicyConfig(AppConfig):
    """The Django app that shows the learned policy's choices on the pages of finished matches."""

    name = "arena.games.suit_pairs.policy"
    label = "suit_pairs_policy"

    def ready(self) -> None:
        from arena.games.suit_pairs.policy import workload
        from arena.games.suit_pairs.policy.judgements import JOBS, judge_and_store
        from arena.games.suit_pairs.policy.review import review
        from arena.games.suit_pairs.rules import GAME
        from arena.matches import preparations, reviews
        from arena.platform.jobs.workers import register_queue
        from arena.platform.workers import work

        register_queue(JOBS)
        work.register(workload.SOURCE)
        preparations.register(GAME.name, judge_and_store)
        reviews.register(GAME.name, review, panel="suit_pairs_policy/match_panel.html")
