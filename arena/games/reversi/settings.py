"""Django settings of this game, merged into the site's."""

from arena.platform import environment

# How much computing goes, for each position, into a search and, from the end of the game backwards, into an exact
# result.
ANALYSIS_SECONDS = environment.seconds("ANALYSIS_SECONDS", 1.0, least=0.01)
ANALYSIS_SOLVING_SECONDS = environment.seconds("ANALYSIS_SOLVING_SECONDS", 20.0, least=0.01)
# How many analyses one student may ask for in an hour, and have unfinished at one time.
ANALYSES_AN_HOUR = environment.count("ANALYSES_AN_HOUR", 20, least=1)
UNFINISHED_ANALYSES = 3
# How many lost matches of one author the arena analyses by itself in a day, when its workers are idle; 0: none.
LOSSES_ANALYSED_A_DAY = environment.count("LOSSES_ANALYSED_A_DAY", 20, least=0)
