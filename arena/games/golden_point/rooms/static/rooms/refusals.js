/** Why a submission was refused, in the reader's language. The keys are the interface's own words: arena/games/golden_point/rooms/rules.py. */

export const ALREADY_SUBMITTED = "Already submitted in this round.";
const UNKNOWN_USER = "Invalid uid";

const ELSEWHERE = "This uid is in use from another network address. It may move once it has been idle for ten minutes.";

/**
 * Whether one needs another id to go on: this one is unknown, or shown in lists and in use at another address, as ids of
 * browsers were before they were secret.
 * @param {string} message @returns {boolean}
 */
export function isIdLost(message) {
  return message === UNKNOWN_USER || message === ELSEWHERE;
}

/** @param {string} message @returns {string} */
export function refusalText(message) {
  /** @type {Record<string, string>} */
  const known = {
    "This round is over.": gettext("This round is over."),
    "Invalid rid: this round is over or never was.": gettext("This round is over."),
    [ALREADY_SUBMITTED]: gettext("You have submitted in this round already."),
    "The game has not started.": gettext("The game has not started."),
    "The game has finished.": gettext("The game has finished."),
    "Invalid nickName: this is what a house bot is called. Choose another name.": gettext(
      "This is what a house bot is called. Choose another nickname.",
    ),
    "Too many players came from your network within the hour. Play on with the uid that you have.": gettext(
      "Too many players came from your network within the hour. Try again later.",
    ),
    [ELSEWHERE]: gettext("Your nickname is in use from another network. Submit again to play as a new player."),
    "The room is full.": gettext("The room is full."),
    "Every number must be greater than 0 and less than 100, written like 12.5 or 1e-05.": gettext(
      "Every number must be greater than 0 and less than 100, written like 12.5 or 1e-05.",
    ),
  };
  return known[message] ?? message;
}
