"""Django settings of this game, merged into the site's."""

from arena.platform import environment

# Rooms that one person may have open, and make in an hour.
ROOMS_OPEN = environment.count("ROOMS_OPEN", 5, least=1)
ROOMS_AN_HOUR = environment.count("ROOMS_AN_HOUR", 20, least=1)
# What programs need no account for, by network address; 0 for no limit. A class of two hundred behind one address makes
# rooms to try things out, starts its programs again and again, and asks for State without a uid five times a second.
PROGRAM_ROOMS_OPEN = environment.count("PROGRAM_ROOMS_OPEN", 200)
PROGRAM_ROOMS_AN_HOUR = environment.count("PROGRAM_ROOMS_AN_HOUR", 400)
ROOM_PLAYERS_AN_HOUR = environment.count("ROOM_PLAYERS_AN_HOUR", 4000)
ROOM_IDS_A_MINUTE = environment.count("ROOM_IDS_A_MINUTE", 60_000)
