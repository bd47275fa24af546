"""Follow and unfollow bots, people and tournaments."""

from __future__ import annotations

from typing import Final

from django.db import transaction
from django.utils.translation import gettext as _

from arena.accounts.models import User
from arena.following.models import Follow
from arena.following.subjects import Subject
from arena.following.visibility import may_follow
from arena.platform.refusal import NotFound, Refused

MAX_FOLLOWS_PER_PERSON: Final = 500


def follow(follower: User, kind: Subject, subject_id: int) -> None:
    """Follow a bot, person or tournament; following it again has no effect. Raises NotFound, Refused."""
    if not may_follow(follower, kind, subject_id):
        raise NotFound
    if kind == Subject.PERSON and subject_id == follower.pk:
        raise Refused(_("You cannot follow yourself."), code="own_account")
    with transaction.atomic():
        User.objects.select_for_update().get(pk=follower.pk)
        rows = Follow.objects.filter(follower=follower)
        column = f"{kind.value}_id"
        if rows.filter(**{column: subject_id}).exists():
            return
        if rows.count() >= MAX_FOLLOWS_PER_PERSON:
            text = _("You follow %(n)s items, which is the limit. Unfollow one before you follow another.")
            raise Refused(text % {"n": MAX_FOLLOWS_PER_PERSON}, code="too_many_follows")
        Follow.objects.create(**{"follower": follower, column: subject_id})


def unfollow(follower: User, follow_id: int) -> bool:
    """Stop following a subject; return False if the person was not following it."""
    deleted, _by_model = Follow.objects.filter(follower=follower, pk=follow_id).delete()
    return bool(deleted)
