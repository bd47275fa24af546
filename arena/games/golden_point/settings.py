"""Django settings of this game, merged into the site's."""

from arena.platform import environment

# Rooms per person: open at a time, and created per hour.
ROOMS_OPEN = environment.count("ROOMS_OPEN", 5, least=1)
ROOMS_AN_HOUR = environment.count("ROOMS_AN_HOUR", 20, least=1)
# Limits per network address for programs, which need no account; 0 for no limit. A class of two hundred behind one
# address creates test rooms, restarts its programs repeatedly, and requests State without a uid five times a second.
PROGRAM_ROOMS_OPEN = environment.count("PROGRAM_ROOMS_OPEN", 200)
PROGRAM_ROOMS_AN_HOUR = environment.count("PROGRAM_ROOMS_AN_HOUR", 400)
ROOM_PLAYERS_AN_HOUR = environment.count("ROOM_PLAYERS_AN_HOUR", 4000)
ROOM_IDS_A_MINUTE = environment.count("ROOM_IDS_A_MINUTE", 60_000)
