"""Who may see which match: the one place that decides.

A match is seen by everybody, or, where its tournament is for the members of a class, by these, by the organizer who
asked for it and by staff; to everybody else it does not exist. One whose results are withheld is seen by that
organizer and by staff alone, not even by the authors of its bots, until they are released. Whatever shows matches
narrows its rows by ``visible`` or asks ``may_see``; what is the same for all readers, such as the leaderboards, is
drawn from ``PUBLIC`` ones alone.
"""

from __future__ import annotations

from typing import Final

from django.db.models import Q

from arena.accounts.models import User
from arena.accounts.permissions import Action, Person, may
from arena.classes.audience import may_see_members_only, within_reach
from arena.matches.models import Match

PUBLIC: Final = Q(audience=None, withheld=False)


def visible(reader: Person) -> Q:
    """Narrows matches to those that the reader may see; no query of its own."""
    if may(reader, Action.RUN_TOURNAMENT):
        return Q()  # staff
    reach = within_reach(reader, everybodys=PUBLIC, course="audience") & Q(withheld=False)
    return reach | Q(requested_by_id=reader.pk) if isinstance(reader, User) and reader.is_active else reach


def may_see(reader: Person, match_id: int) -> bool:
    """Whether there is such a match for the reader, who is not even looked at where it is everybody's."""
    row = Match.objects.filter(pk=match_id).values_list("audience_id", "requested_by_id", "withheld").first()
    if row is None:
        return False
    audience, organizer, withheld = row
    if audience is None and not withheld:
        return True
    if may(reader, Action.RUN_TOURNAMENT, organizer):
        return True
    return not withheld and may_see_members_only(reader, audience)
