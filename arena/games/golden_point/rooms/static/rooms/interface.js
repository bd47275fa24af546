/** The interface of rooms, as programs use it, see /swagger; and its refusals in the reader's language. */
import { send } from "#site/requests.js";

/** The interface said no, in its own words; `code` says why, as arena/games/golden_point/rooms/rules.py names it. */
export class RefusedError extends Error {
  /** @param {string} message @param {string} code */
  constructor(message, code) {
    super(message);
    this.code = code;
  }
}

/** Nobody knows whether the interface did it: it did not answer, or asked to be asked again. */
export class UnansweredError extends Error {}

/**
 * @param {string} name of the operation
 * @param {Record<string, string | number>} parameters
 * @param {"GET" | "POST"} [method]
 * @param {import("#site/requests.js").Patience} [patience] only for what the interface does once, however often it is asked
 * @returns {Promise<any>} its answer; throws RefusedError or UnansweredError
 */
export async function call(name, parameters, method = "GET", patience = {}) {
  const query = new URLSearchParams(Object.entries(parameters).map(([key, value]) => [key, String(value)]));
  const answer = await send(`/api/${name}?${query}`, { method, cache: "no-store" }, patience);
  if (answer.state === "done") return answer.body;
  throw answer.state === "refused" ? new RefusedError(answer.reason, answer.code) : new UnansweredError();
}

export const ALREADY_SUBMITTED = "twice";

/**
 * Whether one needs another id to go on: this one is unknown, or shown in lists and in use at another address, as ids of
 * browsers were before they were secret.
 * @param {RefusedError} error @returns {boolean}
 */
export function isIdLost({ code }) {
  return code === "invalid_uid" || code === "elsewhere";
}

/** @param {RefusedError} error @returns {string} */
export function refusalText({ code, message }) {
  /** @type {Record<string, string>} */
  const known = {
    over: gettext("This round is over."),
    invalid_round: gettext("This round is over."),
    twice: gettext("You have already submitted in this round."),
    not_started: gettext("The game has not started."),
    finished: gettext("The game has finished."),
    reserved_name: gettext("This is the name of a house bot. Choose another nickname."),
    players_of_network: gettext("Too many players came from your network in the past hour. Try again later."),
    elsewhere: gettext("Your nickname is in use on another network. Submit again to play as a new player."),
    full: gettext("The room is full."),
    removed: gettext("The owner of this room has removed you. You cannot play here any more."),
    invalid_name: gettext("Enter a nickname with visible characters."),
    invalid_number: gettext("Every number must be greater than 0 and less than 100, written like 12.5 or 1e-05."),
  };
  return known[code] ?? message;
}
