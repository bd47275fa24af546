"""`manage.py verify [MATCH ...]`: replay stored records, recompute standings, and report differences.

`manage.py verify ARCHIVE` does the same for a tournament archive, without a database.
"""

from argparse import ArgumentParser
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from arena.core.messages import Message
from arena.matches import verification as matches
from arena.tournaments.exports.archive.verification import ArchiveError, ArchiveProblem, ArchiveSummary, check_archive
from arena.tournaments.standings import verification as tournaments

_NAMED = 5  # maximum number of matches to name


class Command(BaseCommand):
    help = (
        "Verify finished matches against their records and the rules, and standings against the matches, for this "
        "site or for the archive of a tournament. Verifying an archive needs no database."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        what = "match numbers, or archive files (default: everything on this site)"
        parser.add_argument("what", nargs="*", help=what)

    def handle(self, *args: Any, **options: Any) -> None:
        wanted: list[str] = options["what"]
        if wanted and not all(name.isascii() and name.isdecimal() for name in wanted):
            for name in wanted:
                self._check_archive(Path(name))
        else:
            self._check_site([int(name) for name in wanted])

    def _check_archive(self, path: Path) -> None:
        try:
            found = check_archive(path)
        except OSError as error:
            raise CommandError(f"Cannot read {path}: {error.strerror}. Check the path.") from None
        except ArchiveError as error:
            reason = f"failed verification: {str(error).rstrip('.')}"
            if error.code is ArchiveProblem.NOT_A_ZIP:
                reason = "is not a valid ZIP file"
            raise CommandError(f"{path} {reason}. Export the tournament again. [{error.code}]") from None
        if found.thinned:
            raise CommandError(_explain_unproved(path, found))
        replaced = f" and {found.replaced} replaced matches" if found.replaced else ""
        self.stdout.write(
            f"{path}: '{found.name}' verified. {found.matches} matches{replaced} agree with the rules, "
            f"and the standings of {found.entries} entries agree with the matches."
        )

    def _check_site(self, wanted: list[int]) -> None:
        match_ids = matches.finished_ids(wanted or None)
        for unknown in sorted(set(wanted) - set(match_ids)):
            raise CommandError(f"There is no finished match {unknown}. Check the number on the match page.")
        tournament_ids = [] if wanted else tournaments.started_ids()
        bad = sum(self._report(f"match {pk}", matches.problems_of(pk)) for pk in match_ids)
        bad += sum(self._report(f"tournament {pk}", tournaments.problems_of(pk)) for pk in tournament_ids)
        checked = f"{len(match_ids)} matches and {len(tournament_ids)} standings"
        if bad:
            raise CommandError(f"{bad} problems in {checked}, listed above. Restore the affected data from a backup.")
        self.stdout.write(f"{checked} agree with the records and the rules.")

    def _report(self, subject: str, problems: Sequence[Message]) -> int:
        for problem in problems:
            self.stderr.write(f"{subject}: {problem}")
        return len(problems)


def _explain_unproved(path: Path, found: ArchiveSummary) -> str:
    """Explain why an archive with missing records can only be verified in part, and what to do."""
    named = ", ".join(map(str, found.thinned[:_NAMED])) + (", ..." if len(found.thinned) > _NAMED else "")
    return (
        f"{path}: '{found.name}' cannot be verified completely. Retention (MATCH_RECORD_DAYS) had deleted the records "
        f"of {len(found.thinned)} matches ({named}) before this archive was written, so their results cannot be "
        f"checked. The other {found.matches + found.replaced} matches agree with the rules, and the standings agree "
        "with all results. To verify everything, use an archive that was exported earlier."
    )
