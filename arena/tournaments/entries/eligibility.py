"""Decide who may enter a tournament (everyone, invited people, or the members of its class), and who may withdraw."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from arena.accounts.models import User
from arena.accounts.permissions import Action, Person, may
from arena.classes.audience import is_member, members_of
from arena.platform.refusal import Refused
from arena.tournaments.models import Entry, EntryPolicy, EntryStatus, Invitation, Tournament


def check_may_enter(tournament: Tournament, person: User) -> None:
    """Raise Refused if the person may not enter a bot; the message says what to do next."""
    refusal = _refusal(tournament, person)
    if refusal is not None:
        raise refusal


def entry_refusal(tournament_id: int, person: User) -> Refused | None:
    """Return why a person may not enter; None if they may."""
    return _refusal(Tournament.objects.get(pk=tournament_id), person)


def _refusal(tournament: Tournament, person: User) -> Refused | None:
    if may(person, Action.ENTER_UNINVITED, tournament.organizer_id):
        return None
    if _is_for_members_only(tournament) and not is_member(person.pk, tournament.course_id):
        text = _("Only members of the class can enter. Join the class first with the code from your teacher.")
        return Refused(text, code="not_a_member")
    if tournament.entry_policy == EntryPolicy.INVITED and not _is_invited(tournament, person):
        return Refused(_("Only invited people can enter. Ask the organizer for an invitation."), code="not_invited")
    return None


def _is_for_members_only(tournament: Tournament) -> bool:
    """Return whether only class members may enter: the entry policy says so, or only they can see the tournament."""
    return tournament.members_only or tournament.entry_policy == EntryPolicy.MEMBERS


def _is_invited(tournament: Tournament, person: User) -> bool:
    return Invitation.objects.filter(tournament=tournament, person=person).exists()


def may_withdraw(person: Person, *, bot_owner_id: int, organizer_id: int | None) -> bool:
    """Return whether a person may withdraw an entry: as the bot's owner, or because they may run the tournament."""
    return may(person, Action.WITHDRAW_ENTRY, bot_owner_id) or may(person, Action.RUN_TOURNAMENT, organizer_id)


def check_members(tournament: Tournament) -> None:
    """Raise Refused if a non-member has entered a tournament that is for members only."""
    if not _is_for_members_only(tournament):
        return
    entered = Entry.objects.filter(tournament=tournament, status=EntryStatus.ENTERED, bot__is_house=False)
    strangers = entered.exclude(bot__owner__in=members_of(tournament.course_id)).exclude(
        bot__owner=tournament.organizer_id
    )
    names = list(strangers.order_by("pk").values_list("bot__name", flat=True))
    if names:
        message = _("These bots do not belong to members of the class: %(names)s. Withdraw them first.")
        raise Refused(message % {"names": pgettext("between names", ", ").join(names)}, code="strangers_entered")
