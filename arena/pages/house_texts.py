"""What the arena's own bots and tournaments say of themselves, in the reader's language.

They are stored like everybody's: bots are described by the first sentence of their docstring, see
arena.submissions.house; tournaments by arena.tournaments.services.demonstrations. Every other text is shown as it
was written.
"""

from django.utils.translation import gettext, gettext_noop

from arena.pages.house_introductions import INTRODUCTIONS

HOUSE_TEXTS = frozenset(
    {
        gettext_noop(
            "Searches as far ahead as its time allows and plays the last fourteen squares or so without an error."
        ),
        gettext_noop("Looks four moves ahead and values corners high and the squares beside empty corners low."),
        gettext_noop("Plays thousands of games to their end by chance and takes the move that won the most of them."),
        gettext_noop(
            "Searches a tree like Mcts, but asks what was learned from games instead of playing them out by chance."
        ),
        gettext_noop("Plays every other move by chance, the others for what they look like at once."),
        gettext_noop("Looks two moves ahead, and leaves every seventh move to chance."),
        gettext_noop("Looks three moves ahead and never slips."),
        gettext_noop("Looks five moves ahead and plays the end exactly."),
        gettext_noop("Looks as far ahead as its time allows and plays the end exactly."),
        gettext_noop("Leaves the opponent as few moves as it can."),
        gettext_noop("Takes the move that flips the most discs."),
        gettext_noop("Plays any legal move."),
        gettext_noop(
            "Throws in a huge number that lifts the golden number and puts its other number where it will land."
        ),
        gettext_noop("Plays the last golden number again."),
        gettext_noop("Expects everybody to play the last golden number and answers 0.618 of it."),
        gettext_noop("Plays the mean of the last ten golden numbers."),
        gettext_noop("Picks numbers at random from 0 to 100."),
        gettext_noop("Plays 10 in every round, near the golden numbers of a table where somebody always plays high."),
        gettext_noop("Draws the best straight line through the last five golden numbers and plays where it goes next."),
        gettext_noop(
            "Recognises which rule each opponent follows, predicts the coming round and plays the best reply to it."
        ),
        gettext_noop(
            "Learns by Q-learning which of eight rules pays: it tries one, sees its own points, and remembers."
        ),
        gettext_noop("Learns from all eight rules in every round, not only from the one that it played."),
        gettext_noop(
            "Waits for a calm golden line, then plays 99 and aims its other number at where that lifts the line."
        ),
        gettext_noop("Our own bots around one table. Watch the golden number settle, then beat them."),
        gettext_noop("Everybody against everybody among our own bots, five times with each colour."),
    }
)


def house_text(text: str) -> str:
    """The text in the reader's language if it is one of the house."""
    return gettext(text) if text in HOUSE_TEXTS or text in INTRODUCTIONS else text
