"""Django settings of this game, merged into the site's."""

from arena.platform import environment

# CPU time per position for the search and, towards the end of the match, for the exact solver.
ANALYSIS_SECONDS = environment.seconds("ANALYSIS_SECONDS", 0.5, least=0.01)
ANALYSIS_SOLVING_SECONDS = environment.seconds("ANALYSIS_SOLVING_SECONDS", 10.0, least=0.01)
# How many analyses one student may request per hour, and have unfinished at a time.
ANALYSES_AN_HOUR = environment.count("ANALYSES_AN_HOUR", 20, least=1)
UNFINISHED_ANALYSES = 3
# How many lost ladder matches of one author are analysed automatically per day, in addition to key matches and all
# losses in tournaments and scrimmages. With 0, no match is analysed automatically.
LOSSES_ANALYSED_A_DAY = environment.count("LOSSES_ANALYSED_A_DAY", 20, least=0)
