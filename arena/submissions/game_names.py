"""What readers call the games, in one table for every form and label."""

from django.utils.translation import gettext_lazy as _

from arena.games.registry import GAMES

GAME_NAMES = {"reversi": _("Reversi"), "golden_point": _("Golden point")}
GAME_CHOICES = [(game, GAME_NAMES.get(game, game)) for game in GAMES]
