"""Analysis pages: permissions, the message for each state, and moves made on the board."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from arena.accounts.models import Role, User
from arena.classes.models import Course, Membership
from arena.core.messages import verbatim_message
from arena.games.reversi.analysis import analysis_job, services
from arena.games.reversi.analysis.models import Analysis, AnalysisStatus
from arena.games.reversi.analysis.testing import ScriptedEngine, exact
from arena.games.reversi.lines import USUAL_BOARD, LineProblem
from arena.games.reversi.notation import read_moves, write_ggf
from arena.matches.models import Match
from arena.platform.workers.queries import ServiceLevel
from tests.factories import person, queued_match
from tests.games.reversi.analysis.matches import MOVES, NOW, finished_match
from tests.note_codes import note_codes

pytestmark = pytest.mark.django_db
BOARD = "/reversi/board/"
# White's last move lets black capture every disc.
LOST = {7: exact(7, -4, "F3", 64), 8: exact(8, 64, "C5", 64), 9: exact(9, 64, "C5", 64)}


def client_of(user: User | None = None) -> Client:
    found = Client()
    if user:
        found.force_login(user)
    return found


def analysis_url(match: Match) -> str:
    return reverse("match-analysis", args=[match.pk])


def analyse_match(match: Match) -> int:
    analysis = services.analyse_match(person(), match.pk, now=NOW)
    assert analysis_job.analyse(analysis, worker="w", engine=ScriptedEngine(LOST))
    return analysis


def response_text(response: object) -> str:
    return response.content.decode()  # type: ignore[attr-defined]


def test_author_sees_where_the_game_was_lost() -> None:
    white = person("whitney")
    match = finished_match(white=white)
    analyse_match(match)
    shown = response_text(client_of(white).get(analysis_url(match)))
    name = match.seats.get(index=1).submission.bot.name
    assert re.search(rf"{name}[^<]*\b8\b[^<]*\bF5\b[^<]*\b68\b[^<]*\bF3\b", shown)
    assert "blunder" in shown
    assert 'id="analysis-data"' in shown
    rows = [
        response_text(client_of().get(analysis_url(match) + query)).count("data-at=")
        for query in ("", "?only=mistakes")
    ]
    assert rows == [9, 1]
    at_start = response_text(client_of().get(analysis_url(match) + "?at=0"))
    start = re.compile(r'aria-label="[^"]*\b2\b[^"]*\b2\b')  # the discs of each side
    assert [bool(start.search(page)) for page in (shown, at_start)] == [False, True]


@pytest.mark.long
def test_each_analysis_state_has_a_message() -> None:
    student, match = person(), finished_match()
    mine = client_of(student)
    assert 'data-empty="none"' in response_text(mine.get(analysis_url(queued_match())))
    assert 'data-state="none"' in response_text(mine.get(analysis_url(match)))
    assert f'action="{analysis_url(match)}"' in response_text(mine.get(analysis_url(match)))
    assert f'href="{reverse("login")}?next={analysis_url(match)}"' in response_text(
        client_of().get(analysis_url(match))
    )
    assert mine.post(analysis_url(match)).url == analysis_url(match)
    waiting = response_text(mine.get(analysis_url(match)))
    assert 'data-state="waiting"' in waiting
    assert 'data-every="2"' in waiting
    assert note_codes(waiting) == [ServiceLevel.NO_WORKER]
    analysis = Analysis.objects.get()
    Analysis.objects.update(status=AnalysisStatus.RUNNING, findings=[exact(9, 64, "C5", 64).to_json()])
    assert "1 of 10 positions" in response_text(mine.get(analysis_url(match)))
    Analysis.objects.update(status=AnalysisStatus.FAILED, failure=verbatim_message("disk on fire").to_json("message"))
    failed = response_text(mine.get(analysis_url(match)))
    assert 'data-state="failed"' in failed
    assert f'action="{analysis_url(match)}"' in failed
    assert "disk on fire" not in failed
    assert "disk on fire" in response_text(client_of(person(is_staff=True)).get(analysis_url(match)))
    assert mine.post(analysis_url(match)).status_code == 302
    analysis_job.analyse(analysis.pk, worker="w", engine=ScriptedEngine())
    done = response_text(mine.get(analysis_url(match)))
    assert note_codes(done) == ["no_mistakes"]
    assert f'action="{analysis_url(match)}"' not in done
    Analysis.objects.update(engine="an older one")
    assert "older_engine" in note_codes(response_text(mine.get(analysis_url(match))))


def test_hourly_limit_is_shown_and_enforced(settings: object) -> None:
    settings.ANALYSES_AN_HOUR = 1  # type: ignore[attr-defined]
    student = person()
    services.analyse_match(student, finished_match().pk, now=NOW)
    Analysis.objects.update(status=AnalysisStatus.DONE)
    match = finished_match()
    Analysis.objects.update(requested_at=timezone.now())
    refused = client_of(student).post(analysis_url(match))
    assert refused.status_code == 429
    assert int(refused["Retry-After"]) > 0
    assert "disabled" in response_text(client_of(student).get(analysis_url(match)))


@pytest.mark.long
def test_analysis_is_hidden_from_people_who_cannot_see_the_match() -> None:
    teacher, member, other = person("teacher", Role.ORGANIZER), person("member"), person("other")
    staff, author = person("staff", is_staff=True), person("author")
    course = Course.objects.create(name="c", owner=teacher, code="abcdefgh")
    Membership.objects.create(course=course, person=member)
    classes = finished_match(author, audience=course, requested_by=teacher)
    withheld = finished_match(author, withheld=True, requested_by=teacher)
    for match in (classes, withheld):
        analyse_match(match)
    for reader, expected in (
        (None, (404, 404)),
        (other, (404, 404)),
        (author, (404, 404)),
        (member, (200, 404)),
        (teacher, (200, 200)),
        (staff, (200, 200)),
    ):
        seen = tuple(client_of(reader).get(analysis_url(match)).status_code for match in (classes, withheld))
        assert seen == expected, reader
        if expected == (404, 404):
            assert client_of(reader).post(analysis_url(withheld)).status_code == 404
    assert client_of(other).get(reverse("match-analysis", args=[10**6])).status_code == 404
    assert client_of().get(analysis_url(queued_match(game="golden_point"))).status_code == 404
    # The same moves entered by hand do not reveal that the match was analysed.
    shown = response_text(client_of(other).get(f"{BOARD}?moves={MOVES}"))
    assert not any(analysis_url(match) in shown for match in (classes, withheld))
    assert "Analyse</button>" in shown


def test_visitor_is_redirected_to_sign_in_and_back() -> None:
    match = finished_match()
    assert client_of().post(analysis_url(match)).url == f"{reverse('login')}?next={analysis_url(match)}"
    sent = client_of().post(f"{BOARD}analysis/", {"moves": "F5D6"}).url
    assert sent == f"{reverse('login')}?next=/reversi/board/%3Fmoves%3DF5D6"
    assert not Analysis.objects.exists()


def test_board_is_controlled_by_url_parameters() -> None:
    student = client_of(person())
    assert student.get(BOARD).status_code == 200
    assert student.get(f"{BOARD}?click=F5").url == f"{BOARD}?moves=F5"
    assert student.get(f"{BOARD}?moves=F5D6C3&at=1&click=f6").url == f"{BOARD}?moves=F5F6"
    assert student.get(f"{BOARD}?text=1.+f5+d6").url == f"{BOARD}?moves=F5D6"
    ggf = write_ggf(read_moves("F5D6"))
    assert student.get(BOARD, {"text": ggf}).url == f"{BOARD}?moves=F5D6"
    assert student.get(BOARD, {"text": USUAL_BOARD, "text_side": "O"}).url == f"{BOARD}?board={USUAL_BOARD}&side=O"
    assert student.get(f"{BOARD}?moves=F5&turn=X").url.endswith("&side=X")
    assert student.post(f"{BOARD}analysis/", {"moves": "F5D6"}).url == f"{BOARD}?moves=F5D6"
    analysis_job.analyse(Analysis.objects.get().pk, worker="w", engine=ScriptedEngine())
    shown = response_text(student.get(f"{BOARD}?moves=F5D6"))
    assert "Perpendicular" in shown
    assert "F5D6" in shown
    assert ggf.replace("<", "&lt;") in shown
    file = student.get(f"{BOARD}game.ggf?moves=F5D6")
    assert (file["Content-Disposition"], file.content.decode()) == ('attachment; filename="game.ggf"', ggf + "\n")


def test_discs_can_be_placed_one_by_one() -> None:
    student = client_of(person())
    bare = "." * 64
    url = student.get(BOARD, {"board": bare, "side": "X", "hand": "X", "click": "A1"}).url
    assert url == f"{BOARD}?board=X{bare[1:]}&side=X&hand=X"
    nobody = student.get(url)
    assert nobody.status_code == 200
    assert note_codes(response_text(nobody)) == [LineProblem.NOBODY_MOVES.name]
    url = student.get(url.replace("hand=X", "hand=O") + "&click=B1").url
    ready = student.get(url)
    assert "Analyse</button>" in response_text(ready)
    assert student.get(url + "&click=B1").url == f"{BOARD}?board=X{bare[1:]}&side=X&hand=O", "a second click clears it"


@pytest.mark.parametrize(
    ("query", "problem"),
    [
        ("text=f5f5", LineProblem.ILLEGAL),
        ("text=", LineProblem.NOTHING),
        (f"text={USUAL_BOARD}", LineProblem.NO_SIDE),
        ("click=A1", LineProblem.ILLEGAL),
        ("click=zz", LineProblem.UNREADABLE),
        ("turn=Q", LineProblem.NO_SIDE),
        ("moves=F5F5", LineProblem.ILLEGAL),
        ("board=XO", LineProblem.NOT_A_BOARD),
        (f"board={USUAL_BOARD.replace('X', '*')}&side=X", LineProblem.STRANGE_CELL),
        (f"board={USUAL_BOARD}&side=Q", LineProblem.NO_SIDE),
        ("moves=F5&at=99", None),
        ("at=99999999999999999999", None),
        ("hand=zzz", None),
    ],
)
def test_invalid_input_is_explained_and_kept(query: str, problem: LineProblem | None) -> None:
    response = client_of().get(f"{BOARD}?{query}")
    assert response.status_code == (422 if problem else 200)
    assert [note for note in note_codes(response_text(response)) if note != ServiceLevel.NO_WORKER] == (
        [problem.name] if problem else []
    )
    if query.startswith("text=f5"):
        assert "f5f5</textarea>" in response_text(response)
        assert "F4 D6 F6" in response_text(response)


def test_invalid_line_is_not_analysed() -> None:
    student = client_of(person())
    for wrong in ({"moves": "F5F5"}, {"board": "X" * 64}, {"board": "?"}):
        assert student.post(f"{BOARD}analysis/", wrong).status_code == 422
    assert student.get(f"{BOARD}game.ggf?moves=A1").status_code == 422
    assert not Analysis.objects.exists()


@pytest.mark.long
def test_match_page_names_the_opening_and_links_to_the_analysis() -> None:
    match = finished_match()
    shown = response_text(client_of().get(reverse("match", args=[match.pk])))
    assert f'href="{analysis_url(match)}"' in shown
    assert 'class="analysis__verdict"' not in shown
    assert "Opening" in shown
    analyse_match(match)
    shown = response_text(client_of().get(reverse("match", args=[match.pk])))
    assert 'class="analysis__verdict"' in shown
    for other in (queued_match(), queued_match(game="golden_point")):
        assert "analysis/" not in response_text(client_of().get(reverse("match", args=[other.pk])))
