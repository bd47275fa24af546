/** The interface of rooms, as programs use it: see /swagger. */
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
