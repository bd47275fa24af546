"""A duel is played from the claim to the stored rows, even if a worker dies in between."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

import pytest
from django.test import Client
from django.urls import reverse

from arena.core.referee.failure_messages import UNKNOWN
from arena.core.referee.record import load
from arena.matches.models import Match, MatchStatus
from arena.matches.queries import seat_rows
from arena.matches.results import MatchResult, result_of
from arena.matches.snapshots import snapshot
from arena.matches.templatetags.results import RESULT_TEXTS
from arena.matches.verification import problems_of
from arena.platform.live import stream
from arena.platform.refusal import Refused
from arena.play import answering, queries
from arena.play.models import Duel, DuelTurn
from tests.factories import bot, person
from tests.matches.scripted import BLACK, WHITE
from tests.play.duels import create_duel, play_duel
from tests.refusals import expect_refusal

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("broker")]

Act = Callable[[int], None]


def scripted_moves(match: Match, squares: Sequence[str]) -> list[Act]:
    return [lambda turn, move=move: answering.submit_move(match.pk, turn, move) for move in squares]  # type: ignore[misc]


def match_status(match: Match) -> tuple[str, str]:
    match.refresh_from_db()
    return match.status, match.termination


def test_person_wins_and_the_match_is_recorded() -> None:
    match = create_duel()
    assert play_duel(match, scripted_moves(match, BLACK))
    assert match_status(match) == (MatchStatus.FINISHED, "completed")
    mine, theirs = match.seats.all()
    assert (mine.points, mine.moves, mine.submission) == (1.0, 5, None)
    assert mine.seconds == pytest.approx(5.0)
    assert theirs.points == 0.0
    assert problems_of(match.pk) == []
    assert not DuelTurn.objects.exists(), "from now on there is the record"


@pytest.mark.long
def test_result_addresses_the_player_in_the_second_person() -> None:
    author, ann = person(), person()
    theirs = bot(author, name="Rival")
    match = create_duel(ann, theirs)
    assert play_duel(match, scripted_moves(match, BLACK))
    expected = {
        ann: ("you.won", {"mine": 13, "theirs": 0}, "duel", "match"),
        author: ("your_bot.lost", {"mine": 0, "theirs": 13}, "match"),
        person(): ("wins", {"winner": ann.username, "mine": 13, "theirs": 0}, "match"),
    }
    for reader, (code, values, *names) in expected.items():
        sentence = RESULT_TEXTS[code] % values
        client = Client()
        client.force_login(reader)
        for name in names:
            page = client.get(reverse(name, args=[match.pk])).content.decode()
            assert f'data-part="result">{sentence}' in re.sub(r">\s+", ">", page), (reader, name)
            title = re.sub(r"\s+", " ", page.partition("<title>")[2].partition("</title>")[0]).strip()
            assert title.startswith(f"{sentence} · ") is code.startswith("you"), title
        projected = client.get(f"{reverse('match', args=[match.pk])}?view=projector").content.decode()
        assert RESULT_TEXTS["you.won"] % {"mine": 13, "theirs": 0} not in projected
        assert "reader" not in client.get(reverse("match-snapshot", args=[match.pk])).json()


def test_game_resumes_where_its_worker_died() -> None:
    match = create_duel()
    assert not play_duel(match, scripted_moves(match, BLACK[:2]))
    assert match_status(match) == (MatchStatus.QUEUED, "")
    assert DuelTurn.objects.filter(duel_id=match.pk).count() == 4
    shown = queries.player_snapshot(match.pk)
    assert len(shown["turns"]) == 5, "the board is there between two workers"
    answering.submit_move(match.pk, 5, BLACK[2])
    assert play_duel(match, [lambda turn: None, *scripted_moves(match, BLACK[3:])], WHITE[2:])
    assert match_status(match) == (MatchStatus.FINISHED, "completed")
    assert problems_of(match.pk) == []
    assert load(bytes(match.record.data)).resumed == [5]
    mine = match.seats.get(index=0)
    assert mine.seconds == pytest.approx(5.0), "what was used before is used"


def test_progress_clears_an_earlier_failure() -> None:
    """A match without a failure has priority when it is interrupted; see ``matches.services.shared_queue``."""
    match = create_duel()
    Match.objects.filter(pk=match.pk).update(failure=UNKNOWN().to_json("message"))
    assert not play_duel(match, scripted_moves(match, BLACK[:1]))
    match.refresh_from_db()
    assert (match.status, match.failure) == (MatchStatus.QUEUED, None)


def test_record_lists_each_resumed_turn() -> None:
    match = create_duel()
    play_duel(match, scripted_moves(match, BLACK[:2]))
    play_duel(match, [], WHITE[2:])
    play_duel(match, scripted_moves(match, BLACK[2:3]), WHITE[2:])
    assert list(DuelTurn.objects.filter(duel_id=match.pk, resumed=True).values_list("number", flat=True)) == [5]
    assert play_duel(match, scripted_moves(match, BLACK[3:]), WHITE[3:])
    assert load(bytes(match.record.data)).resumed == [5, 7]


def test_spectators_get_the_whole_match_again_after_worker_death() -> None:
    match = create_duel()
    play_duel(match, scripted_moves(match, BLACK[:2]))
    play_duel(match, scripted_moves(match, BLACK[2:]), WHITE[2:])
    events = stream.read_events(f"matches/{match.pk}", after=2_000_000 - 1).list
    assert [event["type"] for event in events] == ["started", *["turn"] * 10, "finished"]


def test_resignation_takes_effect_on_the_persons_next_turn() -> None:
    match = create_duel()
    acts = [*scripted_moves(match, BLACK[:1]), lambda turn: answering.resign(match.pk)]
    assert play_duel(match, acts)
    assert match_status(match) == (MatchStatus.FINISHED, "resignation")
    assert match.seats.get(index=1).rank == 1


def test_resigning_before_the_start_cancels_the_game() -> None:
    match = create_duel()
    answering.resign(match.pk)
    assert match_status(match) == (MatchStatus.CANCELLED, "")
    answering.resign(match.pk)


def test_unresponsive_person_loses_on_time() -> None:
    match = create_duel(clock=300)
    assert play_duel(match, [lambda turn: None, lambda turn: None])
    assert match_status(match) == (MatchStatus.FINISHED, "forfeit")
    assert match.seats.get(index=0).fault == "timeout"
    assert seat_rows(match.pk)[0].fault == "timeout"


def test_silent_person_reads_that_five_minutes_passed_without_a_move() -> None:
    match = create_duel(clock=600)
    assert play_duel(match, [lambda turn: None])
    (seat,) = match.seats.filter(index=0)
    assert (seat.fault, seat.seconds) == ("timeout", pytest.approx(300.0, abs=1.0))
    ended = {**snapshot(match.pk), "reader": {"seat": 0, "is": "person"}}
    assert result_of(ended) == MatchResult("you.lost_by_forfeit", {"why": "silence"})
    assert seat_rows(match.pk)[0].fault == "silence"


def test_move_is_accepted_once_and_only_in_its_turn() -> None:
    match = create_duel()
    refusals: list[str] = []

    def submit_refused_move(turn: int, move: str) -> None:
        with pytest.raises(Refused) as refusal:
            answering.submit_move(match.pk, turn, move)
        refusals.append(refusal.value.code)

    def first(turn: int) -> None:
        submit_refused_move(turn, "A1")
        submit_refused_move(turn, "")
        submit_refused_move(turn + 1, "E6")
        answering.submit_move(match.pk, turn, "e6")
        answering.submit_move(match.pk, turn, "E6")
        submit_refused_move(turn, "D3")

    def second(turn: int) -> None:
        answering.submit_move(match.pk, 1, "E6")
        submit_refused_move(1, "D3")
        answering.submit_move(match.pk, turn, "E3")

    assert play_duel(match, [first, second, *scripted_moves(match, BLACK[2:])])
    assert refusals == [
        "illegal_move",
        "illegal_move",
        "being_stored",
        "already_played",
        "stale_turn",
    ]
    with expect_refusal("game_over"):
        answering.submit_move(match.pk, 9, "E6")


def test_table_shows_whose_turn_it_is() -> None:
    match = create_duel()
    seen: list[queries.DuelPage | None] = []

    def look(turn: int) -> None:
        seen.append(queries.duel_page(match.pk))
        answering.submit_move(match.pk, turn, BLACK[0])
        seen.append(queries.duel_page(match.pk))

    play_duel(match, [look])
    before, after = seen
    assert before is not None
    assert after is not None
    assert (before.turn, [move.label for move in before.moves], before.is_my_turn) == (
        1,
        ["D3", "C4", "F5", "E6"],
        True,
    )
    assert after.answered is not None
    assert (after.answered.label, after.is_my_turn) == ("E6", False)
    waiting = queries.duel_page(match.pk)
    assert waiting is not None
    assert (waiting.is_waiting, waiting.turn, waiting.moves) == (True, 0, ())


def test_turn_lost_to_a_database_outage_is_stored_with_the_next(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    from django.db import OperationalError

    away = iter([True])
    create = DuelTurn.objects.bulk_create

    def bulk_create(rows: list[DuelTurn], **options: bool) -> list[DuelTurn]:
        if next(away, False):
            raise OperationalError("the database system is shutting down")
        return create(rows, **options)

    monkeypatch.setattr(DuelTurn.objects, "bulk_create", bulk_create)
    match = create_duel()
    play_duel(match, [lambda turn: Duel.objects.filter(pk=match.pk).update(answer_turn=1, answer="E6")])
    assert list(DuelTurn.objects.values_list("number", flat=True)) == [1, 2]
    waited = [text for text in caplog.messages if text.startswith("duel ")]
    assert waited == [
        f"duel {match.pk}: turn 1 waits for the database: the database system is shutting down",
        f"duel {match.pk}: the turns up to 2 are stored",
    ]
