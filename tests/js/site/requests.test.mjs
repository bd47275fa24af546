// The outcome of a script's request: done, to be retried, or refused with a reason.
import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";

import "../words.mjs";
import * as requests from "#site/requests.js";

/** @type {(Response | Error)[]} */
let answers;
let sent;

/** @type {(...request: Parameters<typeof requests.send>) => Promise<any>} an answer of any kind */
const send = requests.send;

const json = (status, body, headers = {}) => new Response(JSON.stringify(body), { status, headers: { "Content-Type": "application/json", ...headers } });

beforeEach(() => {
  sent = [];
  mock.timers.reset();
  globalThis.fetch = async (address, options) => {
    sent.push([address, options.body]);
    const answer = answers.shift();
    if (answer instanceof Error) throw answer;
    return answer;
  };
});

test("a successful request returns its body", async () => {
  answers = [json(200, { hint: "D3" })];
  assert.deepEqual(await send("/hint"), { state: "done", body: { hint: "D3" } });
  answers = [new Response("<p>", { headers: { "Content-Type": "text/html" } })];
  assert.deepEqual(await send("/page"), { state: "done", body: "<p>" });
});

test("a refusal has the server's message and is final", async () => {
  answers = [json(409, { error: "You have played D3 already." })];
  assert.deepEqual(await send("/move", {}, { tries: 5 }), { state: "refused", status: 409, reason: "You have played D3 already.", code: "", body: { error: "You have played D3 already." } });
  answers = [json(400, { message: "Too late." })];
  assert.equal((await send("/Submit", {}, { tries: 5 })).reason, "Too late.");
  assert.equal(sent.length, 2);
});

test("a quiet refusal arrives with status 200, and its real status is restored", async () => {
  let header;
  globalThis.fetch = async (_address, options) => {
    header = new Headers(options?.headers).get("Quiet-Refusals");
    return json(200, { error: "Taken." }, { "Refused-Status": "409", "Refusal-Code": "taken" });
  };
  const { state, status, reason, code } = await send("/name", { headers: { Accept: "application/json" } });
  assert.deepEqual([header, state, status, reason, code], ["1", "refused", 409, "Taken.", "taken"]);
});

test("a refusal without a message gets one that says what to do", async () => {
  for (const status of [400, 403, 404, 405, 413]) {
    answers = [new Response("<h1>no</h1>", { status, headers: { "Content-Type": "text/html" } })];
    const { state, reason } = await send("/x");
    assert.equal(state, "refused");
    assert.notEqual(reason, "");
  }
});

/** @type {[string, () => Response | Error][]} */
const TRANSIENT = [
  ["no network", () => new TypeError("Failed to fetch")],
  ["no answer in time", () => new DOMException("timed out", "TimeoutError")],
  ["a broken proxy", () => new Response("<h1>Bad Gateway", { status: 502, headers: { "Content-Type": "text/html" } })],
  ["half a body", () => new Response('{"hi', { headers: { "Content-Type": "application/json" } })],
  ["not possible yet", () => json(409, { error: "Not yet." }, { "Retry-After": "1" })],
  ["a limit", () => json(429, { error: "Slower." }, { "Retry-After": "3" })],
];
for (const [name, failure] of TRANSIENT) {
  test(`the request is retried after ${name}`, async () => {
    mock.timers.enable({ apis: ["setTimeout"] });
    answers = [failure(), failure(), json(200, {})];
    let waits = 0;
    const answer = send("/move", { method: "POST", body: "turn=3&move=D3" }, { tries: 9, onAgain: () => (waits += 1) });
    for (let step = 0; step < 20; step += 1) {
      await new Promise((resolve) => setImmediate(resolve));
      mock.timers.tick(1_000);
    }
    assert.equal((await answer).state, "done");
    assert.deepEqual(sent, Array(3).fill(["/move", "turn=3&move=D3"]));
    assert.equal(waits, 2);
  });
}

test("a long wait is reported instead of waited for", async () => {
  answers = [json(429, { error: "Come back in ten minutes." }, { "Retry-After": "600" })];
  assert.equal((await send("/room", {}, { tries: 9 })).reason, "Come back in ten minutes.");
});

test("a request that is no longer wanted is not retried", async () => {
  answers = [json(503, {}), json(200, {})];
  assert.equal((await send("/move", {}, { tries: 9, isWanted: () => false })).state, "again");
  assert.equal(sent.length, 1);
});
