"""Create an operator with a webhook, a room with a crashed bot, a version test, a match, and links from emails.

``manage.py shell`` runs this on the site's database, because creating all this in a browser would take a minute.
"""

from __future__ import annotations

import json
import random
import re
from datetime import UTC, datetime

from django.db import transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from arena.accounts.emails import emails_to_send
from arena.accounts.models import AccountMail, AccountMailKind, Role, User
from arena.core.messages import verbatim_message
from arena.core.ranking.version_test import Gain, GainVerdict
from arena.core.referee.diagnosis import Diagnosis, FaultContext
from arena.core.referee.faults import FaultKind
from arena.games.golden_point.rooms import owner_services
from arena.games.golden_point.rooms import services as room_services
from arena.games.golden_point.rooms.bots import seating
from arena.games.golden_point.rooms.models import BotSeat, RoomPlayer, RoomRound, SeatEnd, SeatStatus
from arena.games.golden_point.rooms.owner_services import RoomPlan
from arena.games.golden_point.rooms.rounds.picks import SentPick, submit_all
from arena.games.golden_point.rooms.rules import PlayerKind, RoomTerms
from arena.games.golden_point.rooms.services import RoomCaller
from arena.games.registry import GAMES
from arena.notifications import unsubscription
from arena.notifications.unsubscription import Unsubscription
from arena.play.identity import Visitor
from arena.play.requests import DuelRequest, request_duel
from arena.submissions.models import Submission, SubmissionStatus
from arena.tournaments.models import Entry, Format, Standing, Tournament, TournamentStatus
from arena.version_tests import evidence, services
from arena.version_tests.models import MatchPair, PairStatus, VersionTest, VersionTestStatus
from arena.webhooks.models import Delivery, DeliveryRequest, DeliveryStatus, EventType
from arena.webhooks.services import WebhookPlan
from arena.webhooks.services import create as create_webhook
from tests import factories
from tests.visitor import PASSWORD

NOW = datetime.now(UTC)
# As long as names can be, and in both scripts
_ROOM_NAMES = (
    "Maximilian Featherst",
    "Wolfeschlegelsteinha",
    "天天向上的小朋友和他的好朋友们一起玩",
    "Elizabeth Bennet",
    "Ada",
    "欧阳子轩",
)


def create_operator_content() -> str:
    """Create the operator and the content; return JSON with the operator's session key and the path of each page."""
    operator = factories.person("inge", Role.ORGANIZER, is_staff=True)
    operator.set_password(PASSWORD)
    operator.unconfirmed_email = "inge@college.example"
    operator.save()
    client = Client()
    client.force_login(operator)
    number = owner_services.create(operator, RoomPlan(RoomTerms(seconds=200), "Lesson", started_by_hand=True), now=NOW)
    pages = {
        "password reset, from its email": _linked_path(AccountMail(kind=AccountMailKind.RESET, address=operator.email)),
        "email address, to be confirmed": _linked_path(
            AccountMail(kind=AccountMailKind.CONFIRM, address=operator.unconfirmed_email, person=operator)
        ),
        "emails, to be turned off": unsubscription.unsubscribe_path(Unsubscription(operator.pk, "announcement")),
        "webhook": reverse("webhook", args=[_create_webhook(operator)]),
        "room, its settings": reverse("room-setup", args=[number]),
        "workers' sandboxes": reverse("worker-sandboxes"),
        "bot that crashed in a room": reverse("room-seat-report", args=[_seat_crashed_bot(operator, number)]),
        "test of a version": reverse("version-test", args=_finish_version_test(operator)),
        "match with a person": reverse("duel", args=[_start_duel(operator)]),
    }
    return json.dumps({"session": client.cookies["sessionid"].value, "pages": pages})


def create_class_cup(entries: int = 30) -> int:
    """Create a finished Swiss tournament with this many entries; return its id."""
    cup = Tournament.objects.create(
        name="Class cup",
        game="reversi",
        format=Format.SWISS,
        options={"rounds": 5},
        settings=GAMES["reversi"].settings_json(GAMES["reversi"].settings({})),
        limits=Tournament.objects.filter(game="reversi")[0].limits,
        seed=1,
        organizer=factories.person("teacher", Role.ORGANIZER),
        status=TournamentStatus.FINISHED,
        deadline=NOW,
        starts_at=NOW,
        started_at=NOW,
        finished_at=NOW,
    )
    Standing.objects.create(tournament=cup, total=5 * entries // 2, finished=5 * entries // 2)
    for place in range(1, entries + 1):
        bot = factories.bot(factories.person(f"pupil{place}"), name=f"Pupil {place}", playable=False)
        Entry.objects.create(
            tournament=cup, bot=bot, seed=place, rank=place, position=place, points=5 - 5 * place / entries, played=5
        )
    return cup.pk


def create_finished_room(points: list[int]) -> int:
    """Create a finished golden-point room with a player for each number of points; return the room's number."""
    owner = User.objects.filter(username="host").first() or factories.person("host")
    number = owner_services.create(owner, RoomPlan(RoomTerms(seconds=200), "Lesson"), now=timezone.now())
    players = [
        room_services.create_player(name, RoomCaller("", timezone.now()), PlayerKind.PROGRAM)
        for name in _ROOM_NAMES[: len(points)]
    ]
    open_round = RoomRound.objects.get(room__number=number, closed_at=None).guid
    picks = [SentPick(str(player.uid), str(open_round), str(place + 1)) for place, player in enumerate(players)]
    submit_all(picks, timezone.now)
    owner_services.close_round(number, open_round, now=timezone.now())
    for player, score in zip(players, points, strict=True):
        RoomPlayer.objects.filter(room__number=number, player=player).update(points=score)
    owner_services.close(number, now=timezone.now())
    return number


def _linked_path(mail: AccountMail) -> str:
    (message,) = emails_to_send(mail)
    found = re.search(r"/accounts/\S+", str(message.body))
    assert found
    return found[0]


def _create_webhook(operator: User) -> int:
    plan = WebhookPlan("https://grades.example.org/arena", [EventType.CHECK_FINISHED, EventType.RESULT])
    pk, _secret = create_webhook(operator, plan)
    delivery = Delivery.objects.create(
        webhook_id=pk,
        event="submission/1/check/1",
        type=EventType.CHECK_FINISHED,
        message_id="msg_1",
        body='{"type": "bot.check_finished"}',
        status=DeliveryStatus.FAILED,
        attempts=1,
    )
    DeliveryRequest.objects.create(delivery=delivery, at=NOW, milliseconds=200, response_status=500, failure="status")
    return pk


def _seat_crashed_bot(operator: User, room: int) -> int:
    bot = factories.bot(operator, "golden_point", "Crashes")
    pk = seating.seat_bot(room, bot.pk, operator, now=NOW)
    error = "ZeroDivisionError: division by zero"
    diagnosis = Diagnosis(
        FaultKind.CRASH, verbatim_message(error), error, "main.py", 3, "return 1 / 0", FaultContext(turn=2)
    )
    BotSeat.objects.filter(pk=pk).update(
        status=SeatStatus.ENDED,
        ended_by=SeatEnd.FAULT,
        ended_at=NOW,
        diagnosis=diagnosis.to_json(),
        log=b"round 1\n" + error.encode(),
    )
    bot.retired = True  # the bot has no source, so it must not be offered as an opponent
    bot.save()
    return pk


@transaction.atomic  # so that no worker plays its matches
def _finish_version_test(operator: User) -> tuple[int, int]:
    """Store a version test that the new version won; return the bot's id and the test's number for its URL."""
    bot = factories.bot(operator, name="Two versions")
    factories.submission(bot)
    old, new = bot.submissions.order_by("number")
    test = services.start(operator, bot.pk, new=new.pk, old=old.pk, gain=Gain.LARGE, rng=random.Random(1))
    state = evidence.plan_of_test(test).start(test.most_pairs)
    while state.verdict is GainVerdict.RUNNING:
        state = state.add(2.0)
        ratios = {"better": state.better.ratio, "worse": state.worse.ratio}
        number = state.evidence.pairs
        MatchPair.objects.create(test=test, number=number, status=PairStatus.COUNTED, result=2.0, **ratios)
    VersionTest.objects.filter(pk=test.pk).update(
        status=VersionTestStatus.FINISHED,
        verdict=state.verdict,
        evidence=evidence.test_to_json(state),
        folded=state.evidence.pairs,
        started_at=NOW,
        ended_at=NOW,
    )
    bot.retired = True  # its versions have no source, so it must not be offered as an opponent
    bot.save()
    return bot.pk, test.number


def _start_duel(operator: User) -> int:
    """Start a match of 2584, which needs no opponent; return its id."""
    return request_duel(Visitor(operator), DuelRequest("fib2584", (), 0, 1800), now=NOW, rng=random.Random(1))


def create_bot_with_versions(owner: str, game: str, versions: int) -> int:
    """Create a bot whose versions are copies of a house bot that passed its check; return its id."""
    house = Submission.objects.filter(bot__is_house=True, bot__game=game, status=SubmissionStatus.PASSED).earliest("pk")
    made = factories.bot(User.objects.get(username=owner), game, playable=False)
    for _ in range(versions):
        factories.submission(made)
    made.submissions.update(sha256=house.sha256, filename=house.filename, size=house.size)
    made.active = made.submissions.get(number=versions)
    made.save()
    return made.pk
