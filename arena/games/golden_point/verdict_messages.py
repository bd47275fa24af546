"""Messages about how a match was decided and where a seat lost the most, keyed by code."""

from __future__ import annotations

from typing import Final

from arena.core.messages import Template, gettext_noop

# How the winner came to lead. ``ending``: one of the templates below.
WON_ONLY_ROUND: Final = Template(
    "golden_point.verdict.won_only_round", gettext_noop("%(winner)s won the only round and %(ending)s.")
)
LED_THROUGHOUT: Final = Template(
    "golden_point.verdict.led_throughout",
    gettext_noop("%(winner)s led from the first round to the last and %(ending)s."),
)
LED_IN_LAST_ROUND: Final = Template(
    "golden_point.verdict.led_in_last_round",
    gettext_noop("%(winner)s took the lead in the last of %(rounds)s rounds and %(ending)s."),
)
TOOK_LEAD: Final = Template(
    "golden_point.verdict.took_lead",
    gettext_noop("%(winner)s took the lead for good in round %(round)s of %(rounds)s and %(ending)s."),
)

AHEAD_BY_ONE: Final = Template("golden_point.verdict.ahead_by_one", gettext_noop("finished 1 point ahead of %(next)s"))
AHEAD: Final = Template("golden_point.verdict.ahead", gettext_noop("finished %(points)s points ahead of %(next)s"))
ALONE: Final = Template("golden_point.verdict.alone", gettext_noop("was the only player left at the end"))

LEADER_OUT: Final = Template(
    "golden_point.verdict.leader_out",
    gettext_noop("%(loser)s was removed in round %(round)s of %(rounds)s, which put %(winner)s ahead for good."),
)
LEADERS_OUT: Final = Template(
    "golden_point.verdict.leaders_out",
    gettext_noop(
        "%(count)s players were removed in round %(round)s of %(rounds)s, which put %(winner)s ahead for good."
    ),
)
LEADER_RESIGNED: Final = Template(
    "golden_point.verdict.leader_resigned",
    gettext_noop("%(loser)s resigned in round %(round)s of %(rounds)s, which put %(winner)s ahead for good."),
)
LEADERS_LEFT: Final = Template(  # at least one of them resigned
    "golden_point.verdict.leaders_left",
    gettext_noop(
        "%(count)s players left the match in round %(round)s of %(rounds)s, which put %(winner)s ahead for good."
    ),
)
ALL_OUT: Final = Template(
    "golden_point.verdict.all_out",
    gettext_noop("All players had been removed by round %(round)s of %(rounds)s. %(winner)s had the highest score."),
)
ALL_OUT_TIED: Final = Template(
    "golden_point.verdict.all_out_tied",
    gettext_noop("All players had been removed by round %(round)s of %(rounds)s."),
)
ALL_LEFT: Final = Template(  # at least one of them resigned
    "golden_point.verdict.all_left",
    gettext_noop("All players had left the match by round %(round)s of %(rounds)s. %(winner)s had the highest score."),
)
ALL_LEFT_TIED: Final = Template(
    "golden_point.verdict.all_left_tied",
    gettext_noop("All players had left the match by round %(round)s of %(rounds)s."),
)

SHARED_ONLY_ROUND: Final = Template(
    "golden_point.verdict.shared_only_round",
    gettext_noop("%(leaders)s shared first place in the only round, each with a score of %(score)s."),
)
SHARED_THROUGHOUT: Final = Template(
    "golden_point.verdict.shared_throughout",
    gettext_noop(
        "%(leaders)s shared first place from the first round to the last, each with a final score of %(score)s."
    ),
)
SHARED_AFTER_LAST_ROUND: Final = Template(
    "golden_point.verdict.shared_after_last_round",
    gettext_noop(
        "%(leaders)s shared first place after the last of %(rounds)s rounds, each with a final score of %(score)s."
    ),
)
SHARED_SINCE: Final = Template(
    "golden_point.verdict.shared_since",
    gettext_noop(
        "%(leaders)s shared first place from round %(round)s of %(rounds)s to the end, "
        "each with a final score of %(score)s."
    ),
)

TWO_PLAYERS: Final = Template("golden_point.verdict.two_players", gettext_noop("%(one)s and %(other)s"))
PLAYERS: Final = Template("golden_point.verdict.players", gettext_noop("%(count)s players"))
NEXT_PLAYERS: Final = Template("golden_point.verdict.next_players", gettext_noop("the next %(count)s players"))

# Where a losing seat lost the most. ``change``: one of the two templates below.
TOO_HIGH: Final = Template(
    "golden_point.verdict.too_high",
    gettext_noop(
        "%(name)s lost the most points by playing too high: %(points)s in total, over %(count)s of %(rounds)s rounds. "
        "In round %(round)s, %(change)s would have won."
    ),
)
TOO_LOW: Final = Template(
    "golden_point.verdict.too_low",
    gettext_noop(
        "%(name)s lost the most points by playing too low: %(points)s in total, over %(count)s of %(rounds)s rounds. "
        "In round %(round)s, %(change)s would have won."
    ),
)
FARTHEST: Final = Template(
    "golden_point.verdict.farthest",
    gettext_noop(
        "%(name)s lost the most points by being farthest from the golden number: %(points)s in total, over %(count)s "
        "of %(rounds)s rounds. In round %(round)s, %(change)s would have won."
    ),
)
COSTLIEST_ROUND: Final = Template(
    "golden_point.verdict.costliest_round",
    gettext_noop("%(name)s lost the most in round %(round)s (%(points)s points): %(change)s would have won."),
)
INSTEAD_OF_ONE: Final = Template("golden_point.verdict.instead_of_one", gettext_noop("%(best)s instead of %(one)s"))
INSTEAD_OF_PAIR: Final = Template(
    "golden_point.verdict.instead_of_pair", gettext_noop("%(best)s twice instead of %(one)s and %(other)s")
)

VERDICTS: Final = (
    WON_ONLY_ROUND,
    LED_THROUGHOUT,
    LED_IN_LAST_ROUND,
    TOOK_LEAD,
    AHEAD_BY_ONE,
    AHEAD,
    ALONE,
    LEADER_OUT,
    LEADERS_OUT,
    LEADER_RESIGNED,
    LEADERS_LEFT,
    ALL_OUT,
    ALL_OUT_TIED,
    ALL_LEFT,
    ALL_LEFT_TIED,
    SHARED_ONLY_ROUND,
    SHARED_THROUGHOUT,
    SHARED_AFTER_LAST_ROUND,
    SHARED_SINCE,
    TWO_PLAYERS,
    PLAYERS,
    NEXT_PLAYERS,
    TOO_HIGH,
    TOO_LOW,
    FARTHEST,
    COSTLIEST_ROUND,
    INSTEAD_OF_ONE,
    INSTEAD_OF_PAIR,
)
