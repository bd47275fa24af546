"""Site configuration of Dare."""

from typing import Final

from arena.games.site import GameSite, SettingText, TournamentDefaults

SITE: Final = GameSite(
    name="Dare",
    settings={"throws": SettingText("Throws of a match")},
    tournament=TournamentDefaults("score_attack", move_seconds=2.0, settings={"throws": 10}),
    score_name="Dared points",
    score_decimals=1,
)
