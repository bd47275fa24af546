from django.utils.translation import override

from arena.games.golden_point.recordings.wording import shown_player, shown_text


def test_the_example_and_unnamed_players_are_in_the_readers_language() -> None:
    with override("zh-hans"):
        assert shown_player("Player 14") == "14 号玩家"
        assert shown_player("Player One") == "Player One"
        assert shown_text("23 players, 400 rounds") != "23 players, 400 rounds"
        assert shown_text("Our evening") == "Our evening"
