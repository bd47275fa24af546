"""Decide who may see which match.

A match is public or, if its tournament is for a class, visible to the members of the class, to the organizer who
requested the match and to staff; for everyone else, the match does not exist. Until its results are released, a match
with withheld results is visible only to that organizer and to staff, and hidden even from the bots' authors. All code
that shows matches filters rows with ``visible`` or calls ``may_see``; data shared by all readers, such as leaderboards,
uses only ``PUBLIC`` matches.
"""

from __future__ import annotations

from typing import Final

from django.db.models import Q

from arena.accounts.permissions import Action, Person, may, owner_filter
from arena.classes.audience import may_see_members_only, visible_to
from arena.matches.models import Match

PUBLIC: Final = Q(audience=None, withheld=False)


def visible(reader: Person) -> Q:
    """Return a filter for matches that the reader may see; runs no query."""
    own = owner_filter(reader, Action.RUN_TOURNAMENT, "requested_by_id")
    if not own:
        return Q()  # staff
    return visible_to(reader, public=PUBLIC, course="audience") & Q(withheld=False) | own


def may_see(reader: Person, match_id: int) -> bool:
    """Return whether the reader may see the match; does not load the reader if the match is public."""
    row = Match.objects.filter(pk=match_id).values_list("audience_id", "requested_by_id", "withheld").first()
    if row is None:
        return False
    audience, organizer, withheld = row
    if audience is None and not withheld:
        return True
    if may(reader, Action.RUN_TOURNAMENT, organizer):
        return True
    return not withheld and may_see_members_only(reader, audience)
