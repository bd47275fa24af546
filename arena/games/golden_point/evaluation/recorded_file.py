"""Read and write golden-point matches as text: the course's format and two kinds of CSV.

* ``T<TAB>S``, as the course's bots read it: the first line holds the number of rounds T and the number of columns S.
  One tab-separated line per round follows: the golden number, and one or two numbers for every player. The players
  have no names.
* CSV with one row per round: a header, then the columns ``round`` and ``golden``, both optional, and a column for each
  number of each player: ``Ann,Ann`` or ``Ann 1,Ann 2`` are the two numbers of one player.
* CSV with one row per player per round, as exported from rooms: ``round,player,number1,number2``, of which the last is
  optional; other columns are ignored. If there is also a ``name`` column, ``player`` is only an identifier. A player
  without a row in a round did not submit.

CSV fields are separated by commas, semicolons or tabs. ``0`` or an empty field means that a player did not submit; a
pair whose second number is 0 counts as one number. Golden numbers are computed from the numbers; the golden numbers in
the file are only compared with them, to detect shifted columns.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from arena.games.golden_point.evaluation.golden_match import GoldenMatch
from arena.games.golden_point.rules import MAX_ROUNDS, MAX_SEATS, Numbers, is_valid, read_decimal

MAX_BYTES: Final = 2 * 1024 * 1024
NAME_LENGTH: Final = 60
_GOLDEN_OFF: Final = 0.01  # tolerance for rounded golden numbers in a file
# Column headers, lower case without spaces or underscores.
_ROUND, _GOLDEN, _PLAYER, _NAME = ("round",), ("golden", "goldennumber"), ("player",), ("name",)
_FIRST, _SECOND = ("number1", "number", "n1"), ("number2", "n2")

Cells = Mapping[int, Sequence[str]]  # fields of every nonempty line, by line number
Rounds = list[tuple[int, list[Numbers | None]]]


def gettext_noop(text: str) -> str:
    """Mark a sentence for translators: notebooks show it in English; the site translates it."""
    return text


class FileError(ValueError):
    """Raised for text that is not a recorded match.

    ``code``: identifies the problem; ``template`` and ``values``: the message; ``line``: number of the line, counted
    from 1, or 0 for the whole text.
    """

    def __init__(self, template: str, *, code: str, line: int = 0, **values: object) -> None:
        self.template, self.code, self.line, self.values = template, code, line, values
        sentence = template % values if values else template
        super().__init__(f"Line {line}: {sentence}" if line else sentence)


def decode(data: bytes) -> str:
    """Decode the text of a file. Raises FileError if it is too large or not text."""
    if len(data) > MAX_BYTES:
        raise FileError(
            gettext_noop("The file is larger than %(most)s MiB. Choose a smaller file."),
            code="too_large",
            most=MAX_BYTES // 2**20,
        )
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise FileError(
            gettext_noop("The file is not UTF-8 text. Save it as UTF-8 and upload it again."),
            code="not_utf8",
            line=line,
        ) from None


def read(text: str, numbers: int | None = None) -> GoldenMatch:
    """Parse a match in any of the formats. Raises FileError.

    ``numbers``: numbers per player per round, which the course's format does not specify. By default, two if the
    number of columns is even, otherwise one.
    """
    lines = {at: line for at, line in enumerate(text.splitlines(), start=1) if line.strip()}
    if not lines:
        raise FileError(gettext_noop("The file is empty. Choose another file."), code="empty")
    first = next(iter(lines.values()))
    if re.fullmatch(r"\s*\d+\s+\d+\s*", first):
        match = _read_course_format(lines, numbers)
    else:
        delimiter = max("\t;,", key=first.count)
        match = _read_table(_read_csv(lines, delimiter))
    if not match.rounds:
        raise FileError(
            gettext_noop("No player submitted a number in any round. Check that you chose the right file."),
            code="no_numbers",
        )
    return match


def write(match: GoldenMatch) -> str:
    """Write the match in the course's format, in pairs: ``0 0`` for absent players, ``x 0`` for a single number."""
    lines = [f"{len(match.rounds)}\t{1 + 2 * len(match.players)}"]
    for each in match.rounds:
        pairs = ((*(own or ()), 0, 0)[:2] for own in each.numbers)
        lines.append("\t".join([repr(each.golden_number), *(f"{x!r}" for pair in pairs for x in pair)]))
    return "\n".join(lines) + "\n"


def _read_course_format(lines: Mapping[int, str], numbers: int | None) -> GoldenMatch:
    (head, first), *rest = lines.items()
    rounds, columns = map(int, first.split())
    if len(rest) != rounds:
        message = gettext_noop(
            "The first line specifies %(rounds)s rounds, but %(found)s lines follow. Correct the number "
            "or complete the file."
        )
        raise FileError(message, code="line_count", line=head, rounds=rounds, found=len(rest))
    wide = columns - 1
    own = numbers or (2 if wide % 2 == 0 else 1)
    if wide < own or wide % own:
        message = gettext_noop(
            "Found %(columns)s columns, but expected one for the golden number plus %(numbers)s for "
            "each player. Choose another value for “Numbers per player per round”."
        )
        raise FileError(message, code="player_columns", line=head, columns=columns, numbers=own)
    _check_size(wide // own, rounds, head)
    found: Rounds = []
    for number, (line, text) in enumerate(rest, start=1):
        cells = text.split("\t") if "\t" in text else text.split()
        if len(cells) != columns:
            message = gettext_noop(
                "This line has %(found)s columns, but the first line specifies %(columns)s. Correct one of them."
            )
            raise FileError(message, code="first_line_columns", line=line, found=len(cells), columns=columns)
        named = [_read_numbers(cells[at : at + own], line) for at in range(1, columns, own)]
        _check_golden_number(cells[0], named, line)
        found.append((number, named))
    return GoldenMatch.from_rounds([""] * (wide // own), found)


def _read_csv(lines: Mapping[int, str], delimiter: str) -> Cells:
    parsed = csv.reader(lines.values(), delimiter=delimiter)
    try:
        return {at: [cell.strip() for cell in cells] for at, cells in zip(lines, parsed, strict=False)}
    except csv.Error as error:
        raise FileError(
            gettext_noop("This line is not valid CSV: %(error)s. Correct it, or export the file again."),
            code="csv",
            line=parsed.line_num,
            error=error,
        ) from None


def _read_table(cells: Cells) -> GoldenMatch:
    (head, first), *rest = cells.items()
    heading = [re.sub(r"[\s_]", "", cell.casefold()) for cell in first]
    if len(first) < 2 or all(read_decimal(cell) is not None for cell in first):
        message = gettext_noop("Begin the file with T<TAB>S (number of rounds, number of columns) or a CSV header.")
        raise FileError(message, code="first_line", line=head)
    for line, row in rest:
        if len(row) != len(heading):
            message = gettext_noop("This line has %(found)s columns; the header has %(columns)s. Correct one of them.")
            raise FileError(message, code="header_columns", line=line, found=len(row), columns=len(heading))
    by_player = _find_column(heading, _PLAYER) is not None or _find_column(heading, _NAME) is not None
    return _read_long_table(heading, rest, head) if by_player else _read_wide_table(first, heading, rest, head)


def _read_wide_table(
    first: Sequence[str], heading: list[str], rest: list[tuple[int, Sequence[str]]], head: int
) -> GoldenMatch:
    """Parse a table with one row per round."""
    round_at, golden_at = _find_column(heading, _ROUND), _find_column(heading, _GOLDEN)
    places = _columns_by_player({at: title for at, title in enumerate(first) if at not in (round_at, golden_at)})
    for name, columns in places.items():
        if len(columns) > 2:
            message = gettext_noop(
                "%(name)s has %(found)s columns; each player must have one or two. Remove or rename the others."
            )
            raise FileError(message, code="too_many_columns", line=head, name=name, found=len(columns))
    _check_size(len(places), len(rest), head)
    found: Rounds = []
    for place, (line, row) in enumerate(rest, start=1):
        named = [_read_numbers([row[at] for at in columns], line) for columns in places.values()]
        if golden_at is not None:
            _check_golden_number(row[golden_at], named, line)
        found.append((place if round_at is None else _parse_round_number(row[round_at], line), named))
    return GoldenMatch.from_rounds([name[:NAME_LENGTH] for name in places], _in_round_order(found, rest))


def _columns_by_player(titles: Mapping[int, str]) -> dict[str, list[int]]:
    """Group the columns by player; ``Ann 1`` and ``Ann 2`` belong together if every player has two such columns."""
    grouped: dict[str, list[int]] = {}
    exact: dict[str, list[int]] = {}
    for at, title in titles.items():
        grouped.setdefault(re.sub(r"[\s_]*[12]$", "", title), []).append(at)
        exact.setdefault(title, []).append(at)
    in_pairs = len(grouped) > 1 and all(len(columns) == 2 for columns in grouped.values())
    return grouped if in_pairs else exact


def _read_long_table(heading: list[str], rest: list[tuple[int, Sequence[str]]], head: int) -> GoldenMatch:
    """Parse a table with one row per player and round."""
    round_at, name_at = _find_column(heading, _ROUND), _find_column(heading, _NAME)
    key_at = _find_column(heading, _PLAYER)
    key_at = name_at if key_at is None else key_at
    wanted = [at for names in (_FIRST, _SECOND) if (at := _find_column(heading, names)) is not None]
    if round_at is None or key_at is None or _find_column(heading, _FIRST) is None:
        raise FileError(
            gettext_noop("Columns are missing. Add round, player and number1 to the header; number2 is optional."),
            code="header",
            line=head,
        )
    named: dict[int, dict[str, Numbers | None]] = {}
    names: dict[str, str] = {}
    for line, row in rest:
        number, key = _parse_round_number(row[round_at], line), row[key_at]
        names.setdefault(key, row[key_at if name_at is None else name_at][:NAME_LENGTH])
        of_round = named.setdefault(number, {})
        if key in of_round:
            message = gettext_noop("%(name)s already has numbers in round %(round)s. Remove one of the two lines.")
            raise FileError(message, code="repeated", line=line, name=names[key], round=number)
        of_round[key] = _read_numbers([row[at] for at in wanted], line)
    _check_size(len(names), len(named), head)
    rounds = [(number, [named[number].get(key) for key in names]) for number in sorted(named)]
    return GoldenMatch.from_rounds(list(names.values()), rounds)


def _find_column(heading: list[str], names: Sequence[str]) -> int | None:
    return next((at for at, title in enumerate(heading) if title in names), None)


def _read_numbers(cells: Sequence[str], line: int) -> Numbers | None:
    """Return a player's numbers; None for ``0 0`` or empty fields. A second number of 0 is left out."""
    first, second = (*(_parse_number(cell, line) for cell in cells), 0.0)[:2]
    if first == 0 and second == 0:
        return None
    if first == 0:
        message = gettext_noop("A player has the numbers 0 and %(second)s. If nothing was submitted, both must be 0.")
        raise FileError(message, code="zero_first", line=line, second=f"{second:g}")
    return (first, second) if second else (first,)


def _parse_number(cell: str, line: int) -> float:
    text = cell.strip()
    if not text:
        return 0.0
    value = read_decimal(text)
    if value is None or not (value == 0 or is_valid(value)):
        message = gettext_noop(
            "%(text)s is not valid. Use a number greater than 0 and less than 100, or 0 if nothing was submitted."
        )
        raise FileError(message, code="number", line=line, text=repr(text[:40]))
    return value


def _parse_round_number(cell: str, line: int) -> int:
    if not cell.isdecimal() or not 0 <= len(cell) < 10:
        raise FileError(
            gettext_noop("%(text)s is not a valid round number. Enter a whole number, such as 1."),
            code="round_number",
            line=line,
            text=repr(cell[:40]),
        )
    return int(cell)


def _check_golden_number(cell: str, named: list[Numbers | None], line: int) -> None:
    """Raise FileError if the golden number in the file differs from the computed one."""
    if not cell.strip() or not any(own is not None for own in named):
        return
    recorded, found = _parse_number(cell, line), GoldenMatch.from_rounds((), [(line, named)]).golden_numbers[0]
    if abs(recorded - found) > _GOLDEN_OFF:
        message = gettext_noop(
            "The golden number is given as %(given)s, but the numbers yield %(found)s. Check whether a "
            "column is missing."
        )
        raise FileError(message, code="golden_number", line=line, given=f"{recorded:.4f}", found=f"{found:.4f}")


def _in_round_order(
    found: Rounds, rest: Sequence[tuple[int, Sequence[str]]]
) -> Iterator[tuple[int, list[Numbers | None]]]:
    last = -1
    for (number, named), (line, _row) in zip(found, rest, strict=True):
        if number <= last:
            raise FileError(
                gettext_noop(
                    "Rounds must be in ascending order, but round %(round)s comes after round %(last)s. Sort the "
                    "lines by round."
                ),
                code="round_order",
                line=line,
                round=number,
                last=last,
            )
        last = number
        yield number, named


def _check_size(players: int, rounds: int, line: int) -> None:
    if players > MAX_SEATS or rounds > MAX_ROUNDS:
        message = gettext_noop(
            "The file has too many players or rounds. Reduce it to at most %(players)s players and %(rounds)s rounds."
        )
        raise FileError(message, code="size", line=line, players=MAX_SEATS, rounds=MAX_ROUNDS)
    if players < 1:
        raise FileError(gettext_noop("The file has no player columns. Add at least one."), code="no_players", line=line)
