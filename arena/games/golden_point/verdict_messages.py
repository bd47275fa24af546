"""Messages about how a match was decided, keyed by code."""

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
    gettext_noop("%(loser)s dropped out in round %(round)s of %(rounds)s, which put %(winner)s ahead for good."),
)
LEADERS_OUT: Final = Template(
    "golden_point.verdict.leaders_out",
    gettext_noop(
        "%(count)s players dropped out in round %(round)s of %(rounds)s, which put %(winner)s ahead for good."
    ),
)
ALL_OUT: Final = Template(
    "golden_point.verdict.all_out",
    gettext_noop("All players had dropped out by round %(round)s of %(rounds)s. %(winner)s had the highest score."),
)
ALL_OUT_TIED: Final = Template(
    "golden_point.verdict.all_out_tied",
    gettext_noop("All players had dropped out by round %(round)s of %(rounds)s."),
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
    ALL_OUT,
    ALL_OUT_TIED,
    SHARED_ONLY_ROUND,
    SHARED_THROUGHOUT,
    SHARED_AFTER_LAST_ROUND,
    SHARED_SINCE,
    TWO_PLAYERS,
    PLAYERS,
    NEXT_PLAYERS,
)
