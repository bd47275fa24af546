"""Choose the active version of a bot."""

from __future__ import annotations

from arena.submissions.domain_events import VersionActivated, version_activated
from arena.submissions.models import Bot


def set_active(bot_id: int, submission_id: int) -> None:
    """Activate a submission that passed, if it is not active yet; call it in a transaction."""
    before = Bot.objects.select_for_update().values_list("active_id", flat=True).get(pk=bot_id)
    if before != submission_id:
        Bot.objects.filter(pk=bot_id).update(active_id=submission_id)
        version_activated.publish(VersionActivated(bot_id, submission_id, is_first=before is None))
