import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import "../words.mjs";

globalThis.document = /** @type {any} */ ({ addEventListener() {}, hidden: false });
globalThis.window = /** @type {any} */ ({ addEventListener() {} });

const { Draft } = await import("#studio/draft.js");

/** @type {{status: number, body: object}[]} */
let answers = [];
/** @type {any[]} */
let sent = [];
globalThis.fetch = async (_address, options) => {
  sent.push(JSON.parse(String(options?.body)));
  const { status, body } = answers.shift() ?? { status: 500, body: {} };
  return new Response(JSON.stringify(body), { status, headers: { "Content-Type": "application/json" } });
};

/** @param {string[]} states */
function draftOf(states) {
  const onState = (/** @type {string} */ state) => states.push(state);
  return new Draft({ revision: 4, address: "/save", csrf: "", text: () => "x = 1\n", onState });
}

beforeEach(() => {
  answers = [];
  sent = [];
});

test("edits are saved if the server refuses the rest of the request but names the new revision", async () => {
  const states = [];
  const draft = draftOf(states);
  draft.changed.add("main.py");
  answers = [
    { status: 409, body: { error: "identical", code: "same_content", revision: 5, number: 3 } },
    { status: 200, body: { revision: 6 } },
  ];
  const refused = await draft.request("/submit", draft.edit());
  assert.equal(refused.state, "refused");
  assert.deepEqual(states, ["saved"]);
  draft.changed.add("main.py");
  await draft.save();
  assert.equal(sent[1].revision, 5, "the next edit is based on the saved one");
});

test("edits stay unsaved if the whole request is refused", async () => {
  const states = [];
  const draft = draftOf(states);
  draft.changed.add("main.py");
  answers = [{ status: 409, body: { error: "too large", code: "too_large" } }];
  await draft.request("/submit", draft.edit());
  assert.deepEqual([states, draft.isDirty, draft.revision], [["refused"], true, 4]);
});
