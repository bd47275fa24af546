"""A site with matches of all games, played by the rules, and with every kind of hidden data."""

from __future__ import annotations

import random
from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from typing import Any, Final

from arena.accounts.models import Role, User
from arena.classes import services as classes
from arena.games.registry import GAMES
from arena.matches.models import Match, MatchRecord, MatchStatus, Purpose, Seat
from arena.ratings.services import rebuild
from arena.submissions.models import Bot, Submission
from arena.tournaments.models import Entry, Format, Pairing, Standing, Tournament, TournamentRound, TournamentStatus
from tests import factories
from tests.tournaments.recorded import record_of, store_record

START: Final = datetime(2026, 2, 27, 12, tzinfo=UTC)
UNTIL: Final = date(2026, 3, 4)  # the first day not included
SHORT: Final[dict[str, dict[str, Any]]] = {
    "reversi": {"opening": "F5D6"},
    "golden_point": {"rounds": 3},
    "fib2584": {"games": 1},
    "suit_pairs": {"deals": 1},
}
LIMITS: Final = {"move_seconds": 5.0, "start_seconds": 10.0, "illegal_answers": 3}


class PublicContent:
    """A site with bots and matches; ``hidden`` lists names and other strings that must not appear in the dataset."""

    def __init__(self) -> None:
        self.rng = random.Random(11)
        self.ann, self.ben = factories.person("ann-the-author"), factories.person("ben-the-author")
        self.organizer = factories.person("organizer-of-all", Role.ORGANIZER)
        self.course = classes.create(self.organizer, classes.CoursePlan("AI 101"), rng=random.Random(1))
        self.bots: dict[str, list[Bot]] = {}
        self.hidden = ["ann-the-author", "ben-the-author", "organizer-of-all", "guest-of-honour"]

    def play(
        self,
        seats: Sequence[Submission | User | None],
        *,
        day: float = 0,
        purpose: Purpose = Purpose.LADDER,
        crash: bool = False,
        **columns: Any,
    ) -> Match:
        """Play a match with random moves, store its record, and return the finished match."""
        bots = [one for one in seats if isinstance(one, Submission)]
        game = bots[0].bot.game
        match = Match.objects.create(
            game=game,
            settings=GAMES[game].settings_json(GAMES[game].settings(SHORT[game])),
            limits=LIMITS,
            seed=self.rng.getrandbits(48),
            purpose=purpose,
            status=MatchStatus.FINISHED,
            started_at=START + timedelta(days=day),
            finished_at=START + timedelta(days=day, seconds=1.5),
            **columns,
        )
        rows = [
            Seat(
                match=match,
                index=index,
                submission=one if isinstance(one, Submission) else None,
                person=one if isinstance(one, User) else None,
            )
            for index, one in enumerate(seats)
        ]
        Seat.objects.bulk_create(rows)
        store_record(match, record_of(match, rows, self.rng, crash=crash))
        return match

    def active(self, game: str) -> list[Submission]:
        """Return all submissions of the game's bots; the first two belong to the same bot."""
        return [one for bot in self.bots[game] for one in bot.submissions.order_by("number")]

    def play_ladder(self, game: str, rounds: int = 2) -> None:
        for number in range(rounds):
            entries = self.active(game)
            self.rng.shuffle(entries)
            size = 2 if GAMES[game].max_seats == 2 else 3
            tables = [entries[at : at + size] for at in range(0, len(entries) - size + 1, size)]
            for table in tables:
                self.play(table, day=number * 1.5, crash=number == 0)

    def tournament(self, name: str, **columns: Any) -> Tournament:
        values: dict[str, Any] = {
            "format": Format.ROUND_ROBIN,
            "game": "reversi",
            "status": TournamentStatus.FINISHED,
            "started_at": START,
            "finished_at": START + timedelta(days=1),
            "organizer": self.organizer,
            "seed": 3,
            **columns,
        }
        made = Tournament.objects.create(name=name, **values)
        Standing.objects.create(tournament=made, total=1, finished=1)
        pair = self.active("reversi")[1:3]
        for number, one in enumerate(pair, start=1):
            Entry.objects.create(
                tournament=made, bot=one.bot, submission=one, seed=number, rank=number, points=3 - number
            )
        match = self.play(pair, purpose=Purpose.TOURNAMENT, audience_id=made.audience_id, withheld=made.withheld)
        round_ = TournamentRound.objects.create(tournament=made, number=1)
        Pairing.objects.create(tournament=made, round=round_, match=match, ended_at=match.finished_at)
        return made

    def play_again(self, tournament: Tournament) -> None:
        """Rerun the only match of a tournament; the earlier match then no longer counts."""
        pairing = Pairing.objects.get(tournament=tournament)
        assert pairing.match is not None
        before = pairing.match
        pairing.match = self.play(
            [seat.bots_submission for seat in before.seats.order_by("index")], purpose=Purpose.TOURNAMENT
        )
        pairing.save()
        Match.objects.filter(pk=before.pk).update(replaced_by=pairing.match)


def create_public_content() -> PublicContent:
    """Create bots of two people and the house, two days of ladder matches of each game, and a tournament."""
    content = PublicContent()
    for game in SHORT:
        mine = factories.bot(content.ann, game, f"Fox of {game}")
        factories.submission(mine)
        content.bots[game] = [
            mine,
            factories.bot(content.ben, game, f"Hare of {game}"),
            factories.bot(None, game, f"Owl of {game}"),
        ]
        content.play_ladder(game)
    content.tournament("Open cup")
    for game in SHORT:
        rebuild(game)
    return content


def add_hidden_content(content: PublicContent) -> None:
    """Add hidden data, and public data that looks hidden: matches of a suspended author's bot and of a retired bot."""
    one, other, third = content.active("reversi")[1:4]
    tournaments = [
        content.tournament("Cup of the class", course=content.course, members_only=True),
        content.tournament("Withheld cup", withheld=True),
        content.tournament("Class and withheld cup", course=content.course, members_only=True, withheld=True),
    ]
    content.tournament("Cup under way", status=TournamentStatus.RUNNING, finished_at=None)
    Tournament.objects.create(
        name="Cup to come", format=Format.SWISS, game="reversi", organizer=content.organizer, seed=1
    )
    secret = factories.bot(content.ben, name="Bot of the class alone")
    assert secret.active is not None
    content.play([secret.active, one], purpose=Purpose.TOURNAMENT, audience=content.course)
    content.play([secret.active, one], purpose=Purpose.SCRIMMAGE, audience=content.course)
    content.play([one, other], purpose=Purpose.SCRIMMAGE)
    content.play([one, content.active("reversi")[0]], purpose=Purpose.VERSION_TEST)
    content.play([factories.person("guest-of-honour"), one], purpose=Purpose.DUEL)
    content.play([one, None], purpose=Purpose.DUEL)
    content.play_again(Tournament.objects.get(name="Open cup"))
    content.play([one, other], day=4.6)  # after the last day
    for status in MatchStatus:
        if status != MatchStatus.FINISHED:
            unfinished = content.play([one, third])
            Match.objects.filter(pk=unfinished.pk).update(status=status)
    factories.bot(content.ann, name="Bot that never played")
    Bot.objects.filter(pk=third.bot_id).update(retired=True)
    User.objects.filter(pk=content.ben.pk).update(is_active=False)
    content.hidden += [tournament.name for tournament in tournaments]
    content.hidden += ["Cup to come", "Bot of the class alone", "Bot that never played"]
    rebuild("reversi")


def delete_record(match: Match) -> None:
    """Delete the record of a match."""
    MatchRecord.objects.filter(match=match).delete()
