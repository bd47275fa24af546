"""Read-only queries for the studio."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final

from arena.games.localized_messages import FAULT_LABELS, translate_stored_message
from arena.studio import snapshots
from arena.studio.answer_locations import with_locations
from arena.studio.checksums import bot_checksum
from arena.studio.drafts import files_in
from arena.studio.models import UNFINISHED, Run
from arena.submissions import private_report, queries, store
from arena.submissions.blobs import StoreUnavailable
from arena.submissions.fault_report import group_by_cause
from arena.submissions.queries import SubmissionCard, VersionRow
from arena.submissions.sources import texts_of

MAX_VERSIONS: Final = 50


@dataclass(frozen=True, slots=True)
class FaultCard:
    """A distinct fault, shown once however often it occurred.

    ``line``: the line's number, 0 if unknown; ``is_definition``: whether only the function that gave an illegal answer
    is known, so that the line is the function's definition.
    ``matches``: in a series, the matches in which it occurred, counted from 1; otherwise empty.
    """

    kind: str
    label: str
    message: str
    file: str
    line: int
    source_line: str
    traceback: str
    answer: str
    lost: bool
    turns: tuple[int, ...]
    is_definition: bool
    matches: tuple[int, ...] = ()

    @property
    def count(self) -> int:
        return len(self.turns)


@dataclass(frozen=True, slots=True)
class VersionCheck:
    """The check of a version, with the faults found.

    ``checksum``: of the version's files in the editor; None if there are no faults or the files cannot be read.
    """

    card: SubmissionCard
    steps: list[dict[str, Any]]
    faults: list[FaultCard]
    checksum: int | None

    @property
    def is_unexplained(self) -> bool:
        """Return whether the check has neither passed nor found a fault, so that only its steps say what happened."""
        return self.card.status != "passed" and not self.faults


def author_of_run(run_id: int) -> int | None:
    return Run.objects.filter(pk=run_id).values_list("person_id", flat=True).first()


def last_run(person_id: int, bot_id: int | None, game: str) -> int | None:
    """Return the id of the draft's newest run; None if there is none, or if it has no board to show."""
    rows = Run.objects.filter(person=person_id, bot=bot_id, game=game)
    newest = rows.order_by("-pk").values_list("pk", "status", "record").first()
    return newest[0] if newest and (newest[1] in UNFINISHED or newest[2]) else None


def version_of_run(run: Run) -> int | None:
    """Return the number of the version whose files the run played; None if they have not been submitted."""
    return queries.version_with_content(run.bot_id, run.sha256) if run.bot_id and run.sha256 else None


def last_opponents(person_id: int, game: str) -> list[int]:
    """Return the ids of the bots that the person's newest run in this game played against."""
    rows = Run.objects.filter(person=person_id, game=game).order_by("-pk").values_list("opponents", flat=True)
    versions = [one["submission"] for one in rows.first() or []]
    return queries.bot_ids_of_versions(versions)


def last_settings(person_id: int, game: str) -> dict[str, Any]:
    """Return the game settings of the person's newest run in this game; empty if there is none."""
    rows = Run.objects.filter(person=person_id, game=game).order_by("-pk").values_list("settings", flat=True)
    return rows.first() or {}


def faults_of_run(run: Run) -> list[FaultCard]:
    """Return the draft's faults in all matches of a run."""
    return fault_cards(run.faults, lost=run.lost)


def faults_beside(run: Run, version: int | None, check: VersionCheck | None) -> list[FaultCard]:
    """Return the run's faults, except those that the check of the same version has found as well.

    ``version``: the version whose files the run played; ``check``: the check whose faults the page shows, if any.
    """
    same = check.faults if check and check.card.number == version else []
    shown = {(one.kind, one.file, one.line, one.message) for one in same}
    return [one for one in faults_of_run(run) if (one.kind, one.file, one.line, one.message) not in shown]


@dataclass(frozen=True, slots=True)
class ShownResults:
    """The check and the run that the studio shows.

    ``shows_check``: whether the check's faults are visible; ``run_version``: the version whose files the run played;
    ``faults``: the run's faults, except those that are shown with the check.
    """

    check: VersionCheck | None
    shows_check: bool
    run: Run | None
    run_version: int | None
    is_run_newer: bool
    faults: list[FaultCard]


def shown_results(check: VersionCheck | None, last_run: int | None, *, check_requested: bool) -> ShownResults:
    """Return what the studio shows of a check and of the draft's newest run.

    The faults of a check that the URL asks for (``check_requested``) are visible even if the draft has been run since.
    """
    run = snapshots.find_run(last_run) if last_run else None
    if run is None:
        return ShownResults(check, check is not None, None, None, False, [])
    version = version_of_run(run)
    is_run_newer = check is not None and run.created_at > check.card.asked_at
    shows_check = check is not None and (check_requested or not is_run_newer)
    faults = faults_beside(run, version, check if shows_check else None)
    return ShownResults(check, shows_check, run, version, is_run_newer, faults)


def fault_cards(found: Iterable[Mapping[str, Any]], *, lost: bool) -> list[FaultCard]:
    """Return one card per distinct fault; those that ended a match come first.

    ``lost``: whether the last fault ended the match; in a series, each fault says so itself.
    """
    diagnoses = list(found)
    cards = []
    for same in group_by_cause(diagnoses):
        first = same[0]
        cards.append(
            FaultCard(
                kind=first["kind"],
                label=str(FAULT_LABELS.get(first["kind"], first["kind"])),
                message=translate_stored_message(first),
                file=first["file"] or "",
                line=first["line"] or 0,
                source_line=first["source_line"] or "",
                traceback=first["traceback"],
                answer=first["answer"],
                lost=any(one.get("lost", lost and one is diagnoses[-1]) for one in same),
                turns=tuple(one["turn"] for one in same),
                is_definition=first.get("is_definition", False),
                matches=tuple(dict.fromkeys(one["match"] for one in same if "match" in one)),
            )
        )
    return sorted(cards, key=lambda card: not card.lost)


def check_of(card: SubmissionCard) -> VersionCheck:
    report = private_report.report_of(card.id)
    found: Sequence[Mapping[str, Any]] = [one.diagnosis for one in report.faults]
    lost = bool(report.faults) and report.faults[-1].lost
    checksum = None
    if found:
        with suppress(store.ContentLost, StoreUnavailable):
            package = store.load_package(card.sha256)
            found = with_locations(found, texts_of(package))
            checksum = bot_checksum(files_in(package).texts)
    return VersionCheck(card, report.steps, fault_cards(found, lost=lost), checksum)


def versions(bot_id: int) -> Sequence[VersionRow]:
    """Return the versions of a bot, newest first."""
    return queries.version_rows(queries.versions(bot_id)[:MAX_VERSIONS])
