"""A tournament's banner, which explains its current state."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from arena.tournaments.entries.freezing import checks_under_way
from arena.tournaments.events.snapshots import running_matches
from arena.tournaments.models import EntryPolicy, TournamentStatus
from arena.tournaments.queries.drawn_bracket import TournamentBracket
from arena.tournaments.queries.tournaments import TournamentDetail, blocking_matches
from arena.ui.localized import sentence_space

_S = TournamentStatus


@dataclass(frozen=True, slots=True)
class PhaseBanner:
    """The banner for a phase of a tournament.

    ``code``: identifies the explanation; ``until``: the target of the countdown; ``tone``: a CSS class that
    modifies ``.notice``, or "".
    """

    code: str
    title: str
    text: str
    tone: str = ""
    until: datetime | None = None
    takes_entries: bool = False
    can_start: bool = False


def phase_of(detail: TournamentDetail, bracket: TournamentBracket, *, now: datetime) -> PhaseBanner:
    phase = _phase(detail, bracket, now)
    if not detail.withheld or detail.card.status == _S.CANCELLED:
        return phase
    texts = [_("The results are withheld until the organizer releases them.")]
    if not detail.card.started_at:
        texts.insert(0, phase.text)
    return replace(phase, code="withheld", text=sentence_space().join(texts))


def _phase(detail: TournamentDetail, bracket: TournamentBracket, now: datetime) -> PhaseBanner:
    match _S(detail.card.status):
        case _S.OPEN:
            return _open_phase(detail, now)
        case _S.FROZEN:
            return _frozen_phase(detail)
        case _S.RUNNING:
            return _running_phase(detail, blocking_matches(bracket))
        case _S.PAUSED:
            return _paused_phase()
        case _S.FINISHED:
            return _finished_phase(detail)
        case _S.CANCELLED:
            return _cancelled_phase(detail)


def _open_phase(detail: TournamentDetail, now: datetime) -> PhaseBanner:
    card = detail.card
    if card.deadline is not None and now >= card.deadline:
        return _closing_phase(card.id, card.deadline)
    if card.entries == 0:
        code, text = "empty", _("Nobody has entered yet. Be the first.")
    elif card.entries == 1:
        code, text = "one_entry", _("One bot has entered. At least two are needed.")
    else:
        code = "open"
        text = ngettext("%(n)s bot has entered.", "%(n)s bots have entered.", card.entries) % {"n": card.entries}
    if detail.entry_policy == EntryPolicy.INVITED:
        text = sentence_space().join((text, _("Only invited people can enter.")))
    elif detail.entry_policy == EntryPolicy.MEMBERS or card.members_only:
        text = sentence_space().join((text, _("Only members of the class can enter.")))
    if card.deadline is None:
        text = sentence_space().join((text, _("Entries stay open until the organizer starts the tournament.")))
    return PhaseBanner(code, _("Open for entries"), text, "success", card.deadline, takes_entries=True, can_start=True)


def _closing_phase(tournament_id: int, deadline: datetime) -> PhaseBanner:
    n = checks_under_way(tournament_id, deadline)
    if not n:
        return PhaseBanner("freezing", _("Entries are closed"), _("Entries are being frozen."))
    text = ngettext(
        "%(n)s upload made before entries closed is still being checked. The tournament will wait up to ten minutes "
        "for it.",
        "%(n)s uploads made before entries closed are still being checked. The tournament will wait up to ten minutes "
        "for them.",
        n,
    )
    return PhaseBanner("checks_running", _("Entries are closed"), text % {"n": n})


def _frozen_phase(detail: TournamentDetail) -> PhaseBanner:
    text = ngettext(
        "%(n)s bot will play, with the version that was active at the deadline.",
        "%(n)s bots will play, each with the version that was active at the deadline.",
        detail.card.entries,
    ) % {"n": detail.card.entries}
    by_hand = detail.card.starts_at is None
    if by_hand:
        text = sentence_space().join((text, _("The organizer will start the tournament.")))
    code = "started_by_hand" if by_hand else "frozen"
    return PhaseBanner(code, _("Entries are frozen"), text, until=detail.card.starts_at, can_start=True)


def _running_phase(detail: TournamentDetail, blocking: Sequence[str]) -> PhaseBanner:
    if blocking:
        text = ngettext(
            "A match is void because of an arena failure, and later pairings depend on it: %(matches)s. The next round "
            "will begin once the organizer has rerun it.",
            "Some matches are void because of an arena failure, and later pairings depend on them: %(matches)s. The "
            "next round will begin once the organizer has rerun them.",
            len(blocking),
        )
        return PhaseBanner(
            "holding", _("Running"), text % {"matches": pgettext("between phrases", "; ").join(blocking)}, "warning"
        )
    if not detail.card.finished and not running_matches(detail.card.id):
        text = _("The first matches are waiting for a free worker. This page will update when they start.")
        return PhaseBanner("waiting", _("Running"), text)
    return PhaseBanner("running", _("Running"), _("Standings update after every match."), "success")


def _paused_phase() -> PhaseBanner:
    text = _("Running matches will finish. No others will start until the organizer resumes the tournament.")
    return PhaseBanner("paused", _("Paused"), text, "warning")


def _finished_phase(detail: TournamentDetail) -> PhaseBanner:
    if detail.end_reason:
        return PhaseBanner("finished_early", _("Finished early"), detail.end_reason_label, "warning")
    missing = detail.card.matches - detail.card.finished
    if missing:
        text = ngettext(
            "%(n)s match could not be played because of an arena failure and is not scored.",
            "%(n)s matches could not be played because of arena failures and are not scored.",
            missing,
        )
        return PhaseBanner("unplayed", _("Finished"), text % {"n": missing}, "warning")
    return PhaseBanner("finished", _("Finished"), _("All matches have been played; the standings are final."))


def _cancelled_phase(detail: TournamentDetail) -> PhaseBanner:
    played = (
        _("The tournament has no result. You can still view the matches that were played.")
        if detail.card.finished
        else _("No matches were played.")
    )
    text = sentence_space().join(filter(None, (detail.end_reason_label, played)))
    return PhaseBanner("cancelled", _("Cancelled"), text, "warning")
