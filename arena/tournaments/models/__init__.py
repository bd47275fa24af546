"""Tournaments, their entries, rounds and pairings, and the activity log of what happened.

Invariants: ``Tournament.version`` grows by one with every live event, in the transaction that makes the
change shown; whoever changes a tournament's entries or standing raises it first, which makes such changes
one after another. ``Tournament.results`` grows with whatever changes the standing. Reasons are codes, so that
every reader gets them in the own language.
"""

from arena.tournaments.models.activity import Activity, ActivityKind
from arena.tournaments.models.entry import Entry, EntryReason, EntryStatus, Invitation
from arena.tournaments.models.rounds import Bye, Pairing, PairingSeat, TournamentRound
from arena.tournaments.models.series import Series
from arena.tournaments.models.tournament import (
    NAME_LENGTH,
    EndReason,
    EntryPolicy,
    Format,
    Openings,
    Seeding,
    Standing,
    Tournament,
    TournamentStatus,
)

__all__ = [
    "NAME_LENGTH",
    "Activity",
    "ActivityKind",
    "Bye",
    "EndReason",
    "Entry",
    "EntryPolicy",
    "EntryReason",
    "EntryStatus",
    "Format",
    "Invitation",
    "Openings",
    "Pairing",
    "PairingSeat",
    "Seeding",
    "Series",
    "Standing",
    "Tournament",
    "TournamentRound",
    "TournamentStatus",
]
