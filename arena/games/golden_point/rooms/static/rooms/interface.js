/** Client for the room API, which programs also use (see /swagger), with refusals in the reader's language. */
import { send } from "#site/requests.js";

/**
 * A refusal of a request by the API. `message` is its own text; `code`: see arena/games/golden_point/rooms/rules.py.
 */
export class RefusedError extends Error {
  /** @param {string} message @param {string} code */
  constructor(message, code) {
    super(message);
    this.code = code;
  }
}

/**
 * An error after which it is unknown whether the API processed the request: it did not answer, or it asked for a retry.
 */
export class UnansweredError extends Error {}

/**
 * @param {string} name the operation, such as "Submit"
 * @param {Record<string, string | number>} parameters
 * @param {"GET" | "POST"} [method]
 * @param {import("#site/requests.js").Patience} [patience] only for idempotent operations
 * @returns {Promise<any>} the response body; throws RefusedError or UnansweredError
 */
export async function callRoomApi(name, parameters, method = "GET", patience = {}) {
  const query = new URLSearchParams(Object.entries(parameters).map(([key, value]) => [key, String(value)]));
  const answer = await send(`/api/${name}?${query}`, { method, cache: "no-store" }, patience);
  if (answer.state === "done") return answer.body;
  throw answer.state === "refused" ? new RefusedError(answer.reason, answer.code) : new UnansweredError();
}

export const ALREADY_SUBMITTED = "twice";

/**
 * Return whether the reader needs a new id: the current one is unknown, or it is a public id in use at another address
 * (browsers had public ids before they had secret ones).
 * @param {RefusedError} error
 * @returns {boolean}
 */
export function isIdLost({ code }) {
  return code === "invalid_uid" || code === "elsewhere";
}

/** @param {RefusedError} error @param {number} numbers how many the room takes per round @returns {string} */
export function refusalText({ code, message }, numbers) {
  /** @type {Record<string, string>} */
  const known = {
    over: gettext("This round is over. Submit in the next round."),
    invalid_round: gettext("This round is over. Submit in the next round."),
    twice: gettext("You have already submitted in this round. Wait for the next round."),
    not_started: gettext("The room has not started. Wait until it starts."),
    finished: gettext("The room has closed. Choose another."),
    reserved_name: gettext("This name is reserved for the arena's own players. Choose another nickname."),
    players_of_network: gettext("Too many players have joined from your network in the past hour. Try again later."),
    elsewhere: gettext("Your nickname is in use on another network. Submit again to play as a new player."),
    full: gettext("The room is full. Choose another."),
    removed: gettext("The owner of this room has removed you. Choose another room."),
    invalid_name: gettext("Enter a nickname with at least one visible character."),
    invalid_number: ngettext("Enter a number greater than 0 and less than 100, such as 12.5 or 1e-05.", "Enter numbers greater than 0 and less than 100, such as 12.5 or 1e-05.", numbers),
  };
  return known[code] ?? message;
}
