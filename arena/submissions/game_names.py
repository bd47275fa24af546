"""What readers call the games, in one table for every form and label."""

from arena.games.sites import SITES

GAME_NAMES = {game: site.name for game, site in SITES.items()}
GAME_CHOICES = list(GAME_NAMES.items())
