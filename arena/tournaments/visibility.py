"""Visibility of tournaments: a tournament for a class is visible to the class's members, the organizer and staff.

arena.matches.visibility restricts the tournament's matches to the same people. While results are withheld,
``sees_results`` decides who may know them: the organizer and staff. Code that shows standings, rounds or matches calls
it, or shows the data redacted by arena.tournaments.events.redaction.
"""

from __future__ import annotations

from typing import Final

from django.db.models import BooleanField, ExpressionWrapper, Q

from arena.accounts.permissions import Action, Person, may, owner_filter
from arena.classes.audience import may_see_members_only, visible_to
from arena.tournaments.models import Tournament, TournamentStatus


def visible(reader: Person, path: str = "") -> Q:
    """Return a filter for tournaments that the reader may see.

    ``path``: to filter rows of another model, the lookup path to their tournament, such as "tournament__".
    """
    reach = visible_to(reader, public=Q(**{f"{path}members_only": False}), course=f"{path}course")
    own = owner_filter(reader, Action.RUN_TOURNAMENT, f"{path}organizer_id")
    return reach | own if reach and own else Q()


def may_see(reader: Person, tournament_id: int) -> bool:
    """Return whether the reader may see the tournament; the reader is not loaded if the tournament is public."""
    columns = ("members_only", "course_id", "organizer_id")
    row = Tournament.objects.filter(pk=tournament_id).values_list(*columns).first()
    if row is None:
        return False
    members_only, course_id, organizer_id = row
    if not members_only or course_id is None:
        return not members_only
    return may(reader, Action.RUN_TOURNAMENT, organizer_id) or may_see_members_only(reader, course_id)


# Results visible to everyone who sees the tournament.
OPEN_RESULTS: Final = Q(withheld=False)


def sees_results(reader: Person, tournament_id: int) -> bool:
    """Return whether the reader may know the results of a tournament that they may see."""
    row = Tournament.objects.filter(pk=tournament_id).values_list("withheld", "organizer_id").first()
    if row is None:
        return False
    withheld, organizer_id = row
    return not withheld or may(reader, Action.RUN_TOURNAMENT, organizer_id)


def may_follow_results(reader: Person, tournament_id: int) -> bool:
    """Return whether the reader may follow a tournament's full events, even while its results are withheld."""
    return may_see(reader, tournament_id) and sees_results(reader, tournament_id)


FINAL_RESULTS: Final = OPEN_RESULTS & Q(status=TournamentStatus.FINISHED)


def may_export_tables(reader: Person, tournament_id: int) -> bool:
    """Return whether the reader may download entries, matches and standings.

    The organizer and staff may do so at any time; everyone who may see the tournament may do so once it is finished and
    its results are released.
    """
    seen = Tournament.objects.filter(visible(reader), pk=tournament_id)
    row = seen.annotate(is_out=ExpressionWrapper(FINAL_RESULTS, BooleanField())).values_list("is_out", "organizer_id")
    found = row.first()
    return found is not None and (found[0] or may(reader, Action.EXPORT_TOURNAMENT, found[1]))
