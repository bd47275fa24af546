"""A room's page shows its rounds, ranks and state to every visitor, even without JavaScript."""

from __future__ import annotations

import re
from datetime import timedelta
from pathlib import Path

import pytest
from django.http import StreamingHttpResponse
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext, override

from arena.games.golden_point.rooms import owner_services, services
from arena.games.golden_point.rooms.models import Player
from arena.games.golden_point.rooms.owner_services import RoomPlan
from arena.games.golden_point.rooms.rounds.picks import SentPick, submit_all
from arena.games.golden_point.rooms.rules import Refusal, RoomTerms
from arena.games.golden_point.rooms.services import NewRoom
from arena.games.golden_point.rooms.texts import NICKNAMES
from arena.platform.downloads import BOM
from arena.submissions.models import Bot
from tests import factories
from tests.games.golden_point.rooms.program import Clock, Program
from tests.note_codes import note_codes

pytestmark = pytest.mark.django_db
ENGLISH = (NICKNAMES["last"], "Thinker")
with override("zh-hans"):
    CHINESE = (gettext(NICKNAMES["last"]), "思考者")


def page_text(client: Client, path: str) -> str:
    answer = client.get(path)
    assert answer.status_code == 200
    return answer.content.decode()


@pytest.mark.long
def test_room_page_shows_played_rounds_without_scripts(client: Client) -> None:
    program = Program(Clock(timezone.now()))
    room, uid = program.room(duration=3, numbers=2), program.player("<Ada>")
    assert note_codes(page_text(client, f"/rooms/{room}/")) == ["unplayed"]
    program.submit(uid, room, 50, 50)
    program.clock.advance(3)
    program.refresh()
    page = page_text(client, f"/rooms/{room}/")
    assert f"{0.618 * 50:.4f}" in page
    assert "&lt;Ada&gt;" in page
    assert 'name="n2"' in page
    assert 'name="n2"' not in page_text(client, f"/rooms/{program.room()}/")


def test_tied_players_share_a_rank_as_on_the_live_page(client: Client) -> None:
    program = Program(Clock(timezone.now()))
    room = program.room(duration=3)
    for name, number in (("Ada", 30), ("Ben", 50), ("Cleo", 60), ("Dora", 90)):
        program.submit(program.player(name), room, number)
    program.clock.advance(3)
    program.refresh()
    standings = page_text(client, f"/rooms/{room}/").split('data-part="standings"')[1].split("</table>")[0]
    rows = re.findall(r'<td class="number">(\S+)</td><td></td><th scope="row">(\w+)', standings)
    assert rows == [("1", "Ada"), ("2", "Ben"), ("2", "Cleo"), ("4", "Dora")]


@pytest.mark.long
def test_house_bot_names_are_in_the_language_of_the_page(client: Client) -> None:
    program = Program(Clock(timezone.now()))
    teacher, thinker = factories.person("teacher"), factories.bot(factories.person("house"), "golden_point", "Thinker")
    Bot.objects.filter(pk=thinker.pk).update(is_house=True, texts={"zh-hans": {"name": "思考者"}})
    plan = RoomPlan(RoomTerms(seconds=3), "Our class", built_in_players=("last",), bots=(thinker.pk,))
    room = owner_services.create(teacher, plan, now=program.clock())
    player = Player.objects.get(bot_seats__room__number=room)
    submit_all([SentPick(str(player.uid), program.round(room), "20", seated=True)], program.clock)
    program.submit(program.player("Sparrow"), room, 30)
    program.clock.advance(3)
    program.refresh()
    in_chinese = Client(headers={"accept-language": "zh-hans"})
    for path in (f"/rooms/{room}/", reverse("golden-point-analysis", args=["rooms", room])):
        for reader, yes, no in (
            (in_chinese, CHINESE, ENGLISH),
            (client, ENGLISH, CHINESE),
            (in_chinese, CHINESE, ENGLISH),
        ):
            shown = re.sub(r"<script.*?</script>", "", page_text(reader, path), flags=re.DOTALL)
            assert [name in shown for name in (*yes, *no, "Sparrow")] == [True, True, False, False, True]
    found = client.get(f"/rooms/{room}/snapshot.json").json()["room"]["translations"]
    assert found == {name: {"zh-hans": chinese} for name, chinese in zip(ENGLISH, CHINESE, strict=True)}


def test_unknown_room_returns_404_with_a_message(client: Client) -> None:
    answer = client.get("/rooms/99/")
    assert answer.status_code == 404
    assert 'data-empty="none"' in answer.content.decode()
    assert client.get("/rooms/99/snapshot.json").status_code == 404
    assert client.get("/rooms/99/rounds.json").status_code == 404
    assert client.get("/rooms/99/rounds.csv").status_code == 404


@pytest.mark.long
def test_every_room_state_is_explained(client: Client) -> None:
    program = Program(Clock(timezone.now()))
    creator = program.player()
    room = program.room(duration=3, roundCount=1, manuallyStart=1, uid=creator)
    assert note_codes(page_text(client, f"/rooms/{room}/")) == ["waiting"]
    program.get_ok("/api/StartGame", uid=creator, roomid=room)
    assert note_codes(page_text(client, f"/rooms/{room}/")) == ["unplayed"]
    program.submit(creator, room, 50)
    program.clock.advance(3)
    program.refresh()
    page = page_text(client, f"/rooms/{room}/")
    assert note_codes(page) == ["finished"]
    assert 'data-part="play" hidden' in page, "its script still shows readers their place"
    assert "<noscript><p" not in page


def test_scores_of_an_earlier_day_are_not_called_todays(client: Client) -> None:
    program = Program(Clock(timezone.now() - timedelta(days=2)))
    room = program.room(duration=3)
    program.submit(program.player("Ada"), room, 50)
    program.clock.advance(3)
    program.refresh()
    page = page_text(client, f"/rooms/{room}/")
    assert 'data-day="' in page
    assert "Ada" in page


def test_snapshot_and_rounds_endpoints_return_missing_rounds(client: Client) -> None:
    program = Program(Clock(timezone.now()))
    room, uid = program.room(duration=3), program.player("Ada")
    for _ in range(2):
        program.submit(uid, room, 50)
        program.clock.advance(3)
        program.refresh()
    snapshot = client.get(f"/rooms/{room}/snapshot.json?since=1").json()
    assert [closed["round"] for closed in snapshot["rounds"]] == [2]
    assert snapshot["names"] == {"0": "Ada"}
    earlier = client.get(f"/rooms/{room}/rounds.json?before=2").json()
    assert [closed["round"] for closed in earlier["rounds"]] == [1]
    assert client.get(f"/rooms/{room}/rounds.json?before=nonsense").json()["rounds"][0]["round"] == 2


def test_all_numbers_download_as_csv(client: Client) -> None:
    program = Program(Clock(timezone.now()))
    room = program.room(duration=3, numbers=2)
    ada, eve = program.player("Ada"), program.player("=1+1")
    program.submit(ada, room, 50, 12.345678901234)
    program.submit(eve, room, 99, 98)
    program.clock.advance(3)
    program.refresh()
    answer = client.get(f"/rooms/{room}/rounds.csv")
    assert answer["Content-Disposition"] == f'attachment; filename="room-{room}-rounds.csv"'
    assert isinstance(answer, StreamingHttpResponse)
    lines = b"".join(answer.streaming_content).decode().removeprefix(BOM).splitlines()
    assert lines[0] == "round,closed at,golden number,player,name,number 1,number 2,gain"
    assert [line.split(",")[3:] for line in lines[1:]] == [
        ["0", "Ada", "50.0", "12.345678901234", "2"],
        ["1", "'=1+1", "99.0", "98.0", "-2"],
    ]


def test_room_with_a_token_is_only_for_programs(client: Client) -> None:
    room = services.create_room(NewRoom(RoomTerms(), token="geheim"), timezone.now())
    page = page_text(client, f"/rooms/{room}/")
    assert 'data-part="play"' not in page
    assert "geheim" not in page
    assert "房间" in client.get(f"/rooms/{room}/", headers={"accept-language": "zh-hans"}).content.decode()


@pytest.mark.parametrize(
    "refusal",
    [
        *(Refusal.OVER, Refusal.INVALID_ROUND, Refusal.TWICE, Refusal.NOT_STARTED, Refusal.FINISHED, Refusal.FULL),
        *(Refusal.INVALID_NUMBER, Refusal.RESERVED_NAME, Refusal.ELSEWHERE, Refusal.PLAYERS_OF_NETWORK),
    ],
)
def test_page_has_a_text_for_every_refusal_code(refusal: Refusal) -> None:
    source = (Path(services.__file__).parent / "static" / "rooms" / "interface.js").read_text()
    assert refusal.code in re.findall(r"^    (\w+): n?gettext\(", source, re.MULTILINE)
    assert refusal.value not in re.sub(r"gettext\([^)]*\)", "", source), "recognized by its words"
