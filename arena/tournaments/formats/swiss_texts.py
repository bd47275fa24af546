"""Explain the rules of arena.core.ranking.pairing.swiss and arena.core.ranking.pairing.seats."""

from __future__ import annotations

from collections.abc import Iterator

from django.utils.translation import gettext as _

from arena.tournaments.formats.base import Options, RuleText


def swiss_rules(options: Options, repeats: int) -> Iterator[RuleText]:
    yield RuleText("pairing", _("Pairing"), _("Two bots meet at most once (FIDE C.04.1, 2)."))
    yield from _bye_rules()
    yield RuleText("pairing_order", _("Order"), _("For pairing, bots are ordered by points, then by seed."))
    yield _criteria()
    yield _order_penalties()
    yield RuleText(
        "considered_opponents",
        _("Considered opponents"),
        _(
            "The search first considers only each bot's 12 best opponents by these criteria, then its 48 best, then "
            "all, and stops as soon as a pairing meets the first two criteria in full."
        ),
    )
    yield _seat_preference()
    yield _seat_assignment()
    yield RuleText("rounds", _("Rounds"), _rounds(options.get("rounds", 0)))
    yield RuleText(
        "early_end",
        _("Early end"),
        _(
            "If withdrawals make it impossible to pair a round without a rematch or a second bye, the tournament ends "
            "early."
        ),
    )


def _bye_rules() -> Iterator[RuleText]:
    yield RuleText(
        "byes",
        _("Byes"),
        _(
            "With an odd number of bots, one bot gets a bye, which scores as a win in each match of an encounter "
            "(FIDE C.04.1, 3)."
        ),
    )
    yield RuleText(
        "second_byes",
        _("Second byes"),
        _(
            "A bot that has already had a bye, or an encounter in which no match was played, gets no bye (based on "
            "FIDE C.04.1, 4)."
        ),
    )


def _criteria() -> RuleText:
    points = (
        (
            _("Seat difference"),
            _("The number of bots whose seat counts differ by three or more is as small as possible (FIDE C.04.1, 6)."),
        ),
        (
            _("Seat repetition"),
            _("As few bots as possible get the same seat for the third time in a row (FIDE C.04.1, 7)."),
        ),
        (_("Bye"), _("The bye goes to a bot with as few points as possible (FIDE C.04.3, C5).")),
        (
            _("Point difference"),
            _(
                "The sum of the squared differences in points between opponents is as small as possible (based on "
                "FIDE C.04.1, 5)."
            ),
        ),
        (
            _("Seat preferences"),
            _("The total weight of unmet seat preferences is as small as possible (based on FIDE C.04.3, C10 to C13)."),
        ),
        (
            _("Repeated floats"),
            _(
                "As few bots as possible meet a bot with more points twice in a row, or a bot with fewer points twice "
                "in a row; a bye in the previous round counts as a bot with fewer points, but the bye in the new round "
                "does not count (based on FIDE C.04.3, C14 and C15)."
            ),
        ),
        (_("Order"), _("The sum of the order penalties is as small as possible.")),
    )
    return RuleText(
        "criteria",
        _("Criteria"),
        _(
            "Among the permitted pairings, the one that best meets these criteria is used; each criterion "
            "outweighs all later ones (based on FIDE C.04.3, 2)."
        ),
        points,
    )


def _order_penalties() -> RuleText:
    points = (
        (
            _("Equal points"),
            _(
                "The penalty is the square of the difference between the opponents' distance in the order and half "
                "the size of their score group (rounded down), so that the upper half meets the lower half (based on "
                "FIDE C.04.3, 3.3)."
            ),
        ),
        (
            _("Unequal points"),
            _(
                "The penalty is (n + 1)², where n is the number of bots between the opponents in the order that have "
                "the same number of points as one of them."
            ),
        ),
        (_("Bye"), _("The penalty is the number of bots that follow the bot with the bye in the order, plus one.")),
    )
    return RuleText(
        "order_penalties",
        _("Order penalties"),
        _("Each pair of opponents has an order penalty, and so does a bye."),
        points,
    )


def _seat_preference() -> RuleText:
    points = (
        (
            _("Difference of two or more"),
            _("A bot prefers the seat that it has had less often; this preference has a weight of 3."),
        ),
        (
            _("Same seat in the last two encounters"),
            _("A bot prefers the other seat; this preference has a weight of 3."),
        ),
        (
            _("Difference of one"),
            _("A bot prefers the seat that it has had less often; this preference has a weight of 2."),
        ),
        (_("No difference"), _("A bot prefers the seat that it did not have last; this preference has a weight of 1.")),
        (_("No encounters yet"), _("A bot has no preference.")),
    )
    return RuleText(
        "seat_preference",
        _("Seat preference"),
        _(
            "The first of these cases that applies determines which seat a bot prefers; its seat in an encounter is "
            "its seat in the first match (FIDE C.04.3, 1.7)."
        ),
        points,
    )


def _seat_assignment() -> RuleText:
    points = (
        (
            _("Criteria"),
            _(
                "The bots get the seats that better meet the criteria for seat difference, seat repetition and seat "
                "preferences, in this order."
            ),
        ),
        (
            _("Alternation"),
            _("Each bot gets the seat that the other had in the most recent round in which their seats differed."),
        ),
        (_("Higher in the order"), _("The bot that comes first in the order gets the seat that it prefers.")),
        (_("Seed"), _("Without a preference, that bot gets the first seat if its seed is an odd number.")),
    )
    return RuleText(
        "seats",
        _("Seats"),
        _(
            "The first of these rules that yields a decision determines the opponents' seats (based on FIDE C.04.3, "
            "5.2)."
        ),
        points,
    )


def _rounds(chosen: int) -> str:
    if chosen:
        text = _("The number of rounds is %(n)s or half the number of bots, rounded up, whichever is smaller.")
        return text % {"n": chosen}
    return _(
        "The number of rounds is two more than in a knockout of the same size, but at most half the number of "
        "bots, rounded up."
    )
