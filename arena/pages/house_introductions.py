"""How the arena's own bots say that they play, beyond their descriptions, in the reader's language: the paragraphs of
their docstrings, see arena.submissions.introductions.
"""

from django.utils.translation import gettext_noop

INTRODUCTIONS = frozenset(
    {
        gettext_noop(
            "A position is two whole numbers of 64 bits; the search is a negamax with alpha-beta that deepens one "
            "move at a time, tries the moves first that look best, asks of all others only whether they are "
            "better, and remembers every position it has seen in a table. Where it cannot see the end it adds up "
            "what 38 patterns of discs are worth: edges, corners, lines, diagonals. That was learned from a "
            "hundred thousand games of the engine with itself."
        ),
        gettext_noop(
            "The parts, from the ground up: engine/bitboard.py, engine/patterns.py, engine/learned.py, "
            "engine/table.py, engine/search.py, engine/probcut.py, engine/endgame.py, engine/thinking.py."
        ),
        gettext_noop("Near the end it counts discs instead and looks further."),
        gettext_noop("Whoever runs out of good moves must give up a corner."),
        gettext_noop(
            "The games share their first moves in a tree: what won so far is tried more often, what was tried "
            "seldom gets its chance, and at first, with a probability that decays, any move does (Monte Carlo "
            "tree search by UCT). It knows nothing of corners or mobility."
        ),
        gettext_noop("The parts, from the ground up: engine/bitboard.py, engine/playout.py, engine/tree.py."),
        gettext_noop(
            "An estimate takes a fiftieth of the time of a random game and says more: which side stands better, "
            "and by how much. It also says where to look first, so that good moves are tried a hundred times "
            "before a bad one is tried twice."
        ),
        gettext_noop(
            "The parts, from the ground up: engine/bitboard.py, engine/patterns.py, engine/learned.py, "
            "engine/guided.py."
        ),
        gettext_noop("Greedy early on, it often has nothing left to play in the end."),
        gettext_noop("Whoever loses to it has a bug to find."),
        gettext_noop(
            "A 99 among N players with two numbers each lifts the golden number by 99 x 0.618 / 2N, so whoever "
            "alone knows that it is coming stands alone there. While the line moves, it plays along: the last "
            "golden number and the mean of the last five."
        ),
        gettext_noop(
            "With one number it cannot do both: it throws 99 into one calm round and plays along for the next "
            "ones, in which the line comes to rest again."
        ),
        gettext_noop(
            "With one number it does so only in every fifth round and else aims where the others' last numbers lead."
        ),
        gettext_noop(
            "Once a round is over everybody's numbers are known, so what each rule would have won can be computed "
            "exactly, the golden number that it would have moved included. It plays the rule that would have won "
            "the most lately. The rules are those of the Q-learning bot, which sees only what its own choice "
            "brought: this one knows eight times as much and need not try anything."
        ),
        gettext_noop(
            "It draws nothing: equal matches lead to equal moves. The rules are in thinking/actions.py, the "
            "points in thinking/scoring.py."
        ),
        gettext_noop("In the first round it guesses 0.618 x 0.618 x 50."),
        gettext_noop("With two numbers it keeps the last golden number as its second."),
        gettext_noop("It is slow to follow a trend but hard to disturb."),
        gettext_noop(
            "Its state is how often the golden number rose and how often it fell in the last ten rounds; learning "
            "rate 0.01, discount 0.9; nine times in ten it takes the best rule that it knows, else any. All of "
            "this is the bot of the original golden-number game."
        ),
        gettext_noop(
            "It draws from the module random: who seeds that gets the same match again. The rules are in "
            "thinking/actions.py."
        ),
        gettext_noop("It keeps the golden number high for everybody else."),
        gettext_noop(
            "Every number of an opponent is compared with what some twenty rules would have played; from the "
            "rules that fit it draws rounds that may come, and plays the numbers that gain the most over all of "
            "them. Where that pays, one of its numbers is thrown far away, to move the golden number to where "
            "nobody else is."
        ),
        gettext_noop(
            "What may come is drawn from the module random: who seeds that gets the same match again. The parts, "
            "from the ground up: thinking/scoring.py, thinking/rules.py, thinking/opponent.py, thinking/reply.py."
        ),
        gettext_noop("With two numbers it adds 15."),
        gettext_noop("With two numbers it plays the last golden number as well, in case the trend is over."),
        gettext_noop(
            "A position is judged by seven things that people look at, too: squares, mobility, frontier, corners, "
            "X-squares, edges and discs. How much each of them counts was evolved: engine/evaluation.py, "
            "engine/level.py."
        ),
        gettext_noop(
            "It thinks like Alpha beta, with what was learned from games: engine/learned.py, engine/thinking.py."
        ),
    }
)
