/** Why a submission was refused, in the reader's language. The keys are the interface's own words: arena/rooms/rules.py. */

export const ALREADY_SUBMITTED = "Already submitted in this round.";
export const UNKNOWN_USER = "Invalid uid";

/** @param {string} message @returns {string} */
export function refusalText(message) {
  const known = {
    "This round is over.": gettext("This round is over."),
    "Invalid rid: this round is over or never was.": gettext("This round is over."),
    [ALREADY_SUBMITTED]: gettext("You have submitted in this round already."),
    "The game has not started.": gettext("The game has not started."),
    "The game has finished.": gettext("The game has finished."),
    "The room is full.": gettext("The room is full."),
    "Every number must be greater than 0 and less than 100, written like 12.5 or 1e-05.": gettext(
      "Every number must be greater than 0 and less than 100, written like 12.5 or 1e-05.",
    ),
  };
  return known[message] ?? message;
}
