"""Tournaments, their entries, rounds and pairings, and the activity log.

Invariants: ``Tournament.version`` grows by one with every live event, in the transaction of its change; a transaction
that changes entries or standings increments it first, which serializes such changes. ``Tournament.results`` grows with
every change that affects the standings. Reasons are stored as codes and shown in the reader's language.
"""

from arena.tournaments.models.activity import Activity, ActivityKind
from arena.tournaments.models.entry import Entry, EntryReason, EntryStatus, Invitation
from arena.tournaments.models.rounds import Bye, Pairing, PairingSeat, TournamentRound
from arena.tournaments.models.series import NO_ORGANIZER, Series
from arena.tournaments.models.tournament import (
    NAME_LENGTH,
    EndReason,
    EntryPolicy,
    Format,
    Openings,
    RecordRetention,
    Seeding,
    Standing,
    Tournament,
    TournamentStatus,
)

__all__ = [
    "NAME_LENGTH",
    "NO_ORGANIZER",
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
    "RecordRetention",
    "Seeding",
    "Series",
    "Standing",
    "Tournament",
    "TournamentRound",
    "TournamentStatus",
]
