"""No response from the site reveals more about a bot's faults than the reader may know.

Both bots give an illegal answer, and black crashes later. Only staff and the bots' authors see the bots'
answers and output and the cause of the crash; everybody else sees only the kind of fault.
"""

from __future__ import annotations

import itertools
import json
from dataclasses import dataclass

import pytest
from django.test import Client
from django.urls import reverse

from arena.accounts.models import Role, User
from arena.core.referee.testing import ScriptedTurn
from arena.matches.models import Match
from arena.platform.live import stream
from tests.factories import bot, person, queued_match
from tests.matches.scripted import BLACK, WHITE, play

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("broker")]

CRASH = {"cause": "exception", "message": "KeyError: 'black-message'", "traceback": "black-traceback"}
BLACK_SECRETS = ("black-answer", "black-printed", "black-message", "black-traceback")
WHITE_SECRETS = ("white-answer", "white-printed")
BOTH = (*BLACK_SECRETS, *WHITE_SECRETS)


@dataclass(frozen=True, slots=True)
class Scene:
    """A finished match that was requested by an organizer who has no bot in it."""

    match: Match
    readers: dict[str, User | None]

    def client(self, reader: str) -> Client:
        client = Client()
        user = self.readers[reader]
        if user:
            client.force_login(user)
        return client


@pytest.fixture
def scene() -> Scene:
    black, white, organizer = person("black"), person("white"), person("organizer", Role.ORGANIZER)
    match = queued_match([bot(black), bot(white)])
    Match.objects.filter(pk=match.pk).update(requested_by=organizer)
    black_turns = [
        ScriptedTurn(answer=BLACK[0]),
        ScriptedTurn(answer="black-answer", prints=b"black-printed\n"),
        ScriptedTurn(answer=BLACK[1]),
        ScriptedTurn(failed=CRASH, prints=b"black-printed\n"),
    ]
    assert play(
        match, black_turns, [ScriptedTurn(answer="white-answer", prints=b"white-printed\n"), *map(ScriptedTurn, WHITE)]
    )
    readers = {
        "anonymous": None,
        "other": person("other"),
        "organizer": organizer,
        "black": black,
        "white": white,
        "staff": person("staff", is_staff=True),
    }
    return Scene(match, readers)


def revealed_secrets(text: str) -> set[str]:
    return {secret for secret in BOTH if secret in text}


MAY_KNOW = {"black": BLACK_SECRETS, "white": WHITE_SECRETS, "staff": BOTH}
READERS = ["anonymous", "other", "organizer", "black", "white", "staff"]


@pytest.mark.long
def test_page_shows_details_to_author_and_kind_to_others(scene: Scene, subtests: pytest.Subtests) -> None:
    for reader in READERS:
        with subtests.test(reader):
            client, page = scene.client(reader), reverse("match", args=[scene.match.pk])
            shown = [client.get(page, {"inside": inside}).content.decode() for inside in ("", "0", "1", "9", "x")]
            assert all("Crashed" in each and "answer rejected" in each for each in shown)
            assert revealed_secrets("".join(shown)) == set(MAY_KNOW.get(reader, ()))


@pytest.mark.parametrize("reader", ["black", "staff"])
def test_projector_view_shows_no_details(scene: Scene, reader: str) -> None:
    page = scene.client(reader).get(reverse("match", args=[scene.match.pk]), {"view": "projector"})
    assert revealed_secrets(page.content.decode()) == set()


@pytest.mark.long
def test_public_data_contains_no_details(scene: Scene, subtests: pytest.Subtests) -> None:
    for reader, name in itertools.product(READERS, ["match-snapshot", "match-record"]):
        with subtests.test(f"{name} for {reader}"):
            answer = scene.client(reader).get(reverse(name, args=[scene.match.pk]))
            assert answer.status_code == 200
            assert revealed_secrets(answer.content.decode()) == set()
            refusals = [move.get("refused", 0) for turn in answer.json()["turns"] for move in turn["moves"]]
            assert refusals == [0, 1, 1, 0, 0]
            assert answer.json()["turns"][-1]["moves"][0]["fault"] == "crash"


@pytest.mark.long
def test_api_shows_details_to_author_and_kind_to_others(scene: Scene, subtests: pytest.Subtests) -> None:
    for reader in READERS:
        with subtests.test(reader):
            client, root = scene.client(reader), f"/api/v1/matches/{scene.match.pk}"
            public = [client.get(path) for path in (root, f"{root}/record", "/api/v1/matches")]
            assert [answer.status_code for answer in public] == [200] * 3
            assert revealed_secrets("".join(answer.content.decode() for answer in public)) == set()
            reports = [client.get(f"{root}/seats/{seat}/report") for seat in (0, 1)]
            assert revealed_secrets("".join(answer.content.decode() for answer in reports)) == set(
                MAY_KNOW.get(reader, ())
            )
            own = {"black": [200, 403], "white": [403, 200], "staff": [200, 200], "anonymous": [401, 401]}
            assert [answer.status_code for answer in reports] == own.get(reader, [403, 403])
            assert client.get(f"{root}/seats/2/report").status_code == (401 if reader == "anonymous" else 404)


def test_live_events_contain_only_the_kind(scene: Scene) -> None:
    events = stream.read_events(f"matches/{scene.match.pk}", after=0).list
    assert events[-1]["type"] == "finished"
    assert revealed_secrets(json.dumps(events)) == set()
    moves = [move for event in events if event["type"] == "turn" for move in event["turn"]["moves"]]
    assert [move["refused"] for move in moves] == [0, 1, 1, 0, 0]


def test_only_the_author_can_read_logs_and_positions(scene: Scene, subtests: pytest.Subtests) -> None:
    for reader, seat in itertools.product(READERS, [0, 1]):
        with subtests.test(f"seat {seat} for {reader}"):
            client, pk = scene.client(reader), scene.match.pk
            places = [(3, 1), (5, 1)] if seat == 0 else [(2, 1)]
            addresses = [reverse(name, args=[pk, seat]) for name in ("match-log", "match-output")]
            addresses += [reverse("match-position", args=[pk, seat, turn, attempt]) for turn, attempt in places]
            answers = [client.get(address) for address in addresses]
            if reader in ("staff", ["black", "white"][seat]):
                assert [answer.status_code for answer in answers] == [200] * len(answers)
                found = revealed_secrets("".join(answer.content.decode() for answer in answers))
                assert found == set(BLACK_SECRETS if seat == 0 else WHITE_SECRETS)
            else:
                assert {answer.status_code for answer in answers} == {302 if reader == "anonymous" else 403}


def test_only_faults_have_a_position(scene: Scene) -> None:
    client = scene.client("black")

    def get(turn: int, attempt: int) -> int:
        return client.get(reverse("match-position", args=[scene.match.pk, 0, turn, attempt])).status_code

    assert [get(1, 1), get(3, 1), get(3, 2), get(5, 1), get(99, 1)] == [404, 200, 404, 200, 404]
