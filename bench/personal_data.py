"""Add a person's notifications, follows, version test and webhooks to a large site that has only matches."""

from __future__ import annotations

import secrets
from typing import Any, Final

from bench.season import Season

_NOTIFICATIONS: Final = 2_000
_FOLLOWED: Final = 300
_PAIRS: Final = 200
_DELIVERIES: Final = 500


def add_personal_data(season: Season, bot: Any) -> dict[str, Any]:
    """Store personal data for the bot's owner, and return the URL arguments for ``bench.urls``."""
    _add_notifications(bot)
    _add_feed_items_and_follows(season, bot)
    return {
        "match_id": season.last_match,
        "object_id": season.last_match,
        "game": season.game,
        "bot_id": bot.pk,
        "submission_id": bot.active_id,
        "version_id": bot.active_id,
        "key": bot.pk,
        "username": bot.owner.username,
        "index": 0,
        "seat": 0,
        "turn": 1,
        "answer_number": 1,
        "file": "moves.txt",
        "kind": "bot",
        "number": _add_version_test(season, bot),
        "webhook_id": _add_webhook_deliveries(bot),
    }


def _add_notifications(bot: Any) -> None:
    from arena.notifications.models import Kind, Notification

    context = {"bot": bot.name, "submission": bot.active_id, "version": 1}
    Notification.objects.bulk_create(
        Notification(recipient=bot.owner, kind=Kind.CHECK_FAILED, event=f"bench/{number}", context=context)
        for number in range(_NOTIFICATIONS)
    )


def _add_feed_items_and_follows(season: Season, bot: Any) -> None:
    """Add the versions of all bots to the activity feeds, and make the bot's owner follow many other bots."""
    from arena.following.models import FeedItem, Follow, ItemKind
    from arena.submissions.models import Submission

    FeedItem.objects.bulk_create(
        FeedItem(
            kind=ItemKind.BOT_CREATED,
            event=f"submission/{pk}/activated",
            bot_id=bot_id,
            person_id=owner,
            submission_id=pk,
        )
        for pk, bot_id, owner in Submission.objects.order_by("pk").values_list("pk", "bot_id", "bot__owner_id")
    )
    others = [pk for pk in season.bots[-_FOLLOWED:] if pk != bot.pk]
    Follow.objects.bulk_create(Follow(follower=bot.owner, bot_id=pk) for pk in others)


def _add_version_test(season: Season, bot: Any) -> int:
    """Create a cancelled version test whose pairs consist of existing matches."""
    from arena.version_tests.models import MatchPair, PairMatch, PairStatus, VersionTest, VersionTestStatus

    test = VersionTest.objects.create(
        bot=bot,
        number=1,
        author=bot.owner,
        new_id=bot.active_id,
        old_id=bot.active_id,
        gain="little",
        seed=1,
        most_pairs=_PAIRS,
        status=VersionTestStatus.CANCELLED,
    )
    pairs = MatchPair.objects.bulk_create(
        MatchPair(test=test, number=number, status=PairStatus.COUNTED, result=number % 5 / 2, better=0.0, worse=0.0)
        for number in range(1, _PAIRS + 1)
    )
    PairMatch.objects.bulk_create(
        PairMatch(pair=pair, leg=leg, match_id=season.first_match + 2 * place + leg)
        for place, pair in enumerate(pairs)
        for leg in (0, 1)
    )
    return test.number


def _add_webhook_deliveries(bot: Any) -> int:
    from arena.webhooks.models import Delivery, DeliveryStatus, EventType, Webhook

    webhook = Webhook.objects.create(owner=bot.owner, url="https://example.org/", salt=secrets.token_hex(16))
    Delivery.objects.bulk_create(
        Delivery(
            webhook=webhook,
            event=f"bench/{number}",
            type=EventType.RESULT,
            body="{}",
            message_id=f"msg_{number}",
            status=DeliveryStatus.DELIVERED,
        )
        for number in range(_DELIVERIES)
    )
    return webhook.pk
