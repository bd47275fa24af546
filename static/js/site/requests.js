/**
 * Send scripts' requests and report the outcome of each: done, to be retried, or refused with a reason.
 *
 * Invariant: nothing is lost silently. "again" means that the server has not processed the request yet, or that this is
 * unknown; only idempotent requests may be retried. The server asks for a retry with a Retry-After header (with 409:
 * not possible yet); a 409 without it means that the action is no longer possible.
 */

/** @typedef {{state: "done", body: any}} Done `body`: JSON where the server sent JSON, else text */
/** @typedef {{state: "again", afterMs: number}} Again the site is unreachable, busy or not ready yet */
/** @typedef {{state: "refused", status: number, reason: string, code: string, body: any}} Refused `reason`: a sentence for the reader; `code`: for scripts, "" for none; `body`: JSON where the server sent JSON, else text */
/** @typedef {Done | Again | Refused} Answer */

/**
 * @typedef {object} Patience
 * @property {number} [tries] the maximum number of times to send it; default: 1
 * @property {() => boolean} [isWanted] whether a retry is still useful
 * @property {() => void} [onAgain] called before each wait
 */

const TIMEOUT_MS = 10_000;
const AGAIN_MS = 1_500;
const MAX_WAIT_MS = 15_000; // longer waits are reported to the reader instead
const TEMPORARY = [408, 425, 429, 500, 502, 503, 504];

/**
 * Send a request, and retry it while its failure is temporary.
 * @param {string} address
 * @param {RequestInit} [options]
 * @param {Patience} [patience]
 * @returns {Promise<Answer>} "again" if the tries are used up or the request is no longer wanted
 */
export async function send(address, options = {}, { tries = 1, isWanted = () => true, onAgain } = {}) {
  for (let attempt = 1; ; attempt += 1) {
    const answer = await sendOnce(address, options);
    if (answer.state !== "again" || attempt >= tries || !isWanted()) return answer;
    onAgain?.();
    await new Promise((resolve) => setTimeout(resolve, answer.afterMs));
    if (!isWanted()) return answer;
  }
}

/**
 * Fetch from this site without a console error if the request is refused: the response arrives with the status 200,
 * and its real status is restored here (see arena/platform/refusal_status.py).
 * @param {string} address
 * @param {RequestInit} [options]
 * @returns {Promise<Response>}
 */
export async function request(address, options = {}) {
  const headers = new Headers(options.headers);
  headers.set("Quiet-Refusals", "1");
  const response = await fetch(address, { ...options, headers });
  const refused = response.headers.get("Refused-Status");
  return refused === null ? response : new Response(response.body, { status: Number(refused), headers: response.headers });
}

/** @param {string} address @param {RequestInit} options @returns {Promise<Answer>} */
async function sendOnce(address, options) {
  try {
    const response = await request(address, { signal: AbortSignal.timeout(TIMEOUT_MS), ...options });
    const body = await readBody(response);
    if (response.ok) return { state: "done", body };
    const afterMs = waitOf(response);
    if (afterMs !== null && afterMs <= MAX_WAIT_MS) return { state: "again", afterMs };
    const code = response.headers.get("Refusal-Code") ?? "";
    return { state: "refused", status: response.status, reason: reasonOf(response.status, body), code, body };
  } catch {
    return { state: "again", afterMs: AGAIN_MS }; // no network, a timeout, or an incomplete response
  }
}

/** @param {Response} response */
async function readBody(response) {
  const text = await response.text();
  if (!(response.headers.get("Content-Type") ?? "").includes("json")) return text;
  return JSON.parse(text);
}

/** @param {Response} response @returns {number | null} milliseconds until it may be retried; null: never */
function waitOf({ status, headers }) {
  const retryAfter = headers.get("Retry-After");
  if (retryAfter === null) return TEMPORARY.includes(status) ? AGAIN_MS : null;
  const seconds = /^\d+$/.test(retryAfter) ? Number(retryAfter) : (Date.parse(retryAfter) - Date.now()) / 1000;
  return Number.isFinite(seconds) ? Math.max(0, seconds * 1000) : AGAIN_MS;
}

/** @param {number} status @param {any} body @returns {string} the server's own message, else a general one */
function reasonOf(status, body) {
  const message = body?.error ?? body?.message;
  if (typeof message === "string" && message !== "") return message;
  if (status === 403) return gettext("You can no longer do this here. Reload the page.");
  if (status === 404 || status === 410) return gettext("This no longer exists. Reload the page.");
  if (status === 429 || status === 503) return gettext("The site is busy. Wait a few minutes and try again.");
  return interpolate(gettext("The site refused this request (error %s). Reload the page and try again."), [status]);
}
