import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import "../words.mjs";
import { languageService } from "#studio/language-service.js";

const KNOWN = { state: "State", classes: {} };
const NONE = { state: "", classes: {} };

/** @type {{status: number, body: object}[]} */
let answers = [];
/** @type {{address: string, options: RequestInit}[]} */
let sent = [];
globalThis.fetch = async (address, options) => {
  sent.push({ address: String(address), options: options ?? {} });
  const { status, body } = answers.shift() ?? { status: 404, body: {} };
  return new Response(JSON.stringify(body), { status, headers: { "Content-Type": "application/json" } });
};

const service = () => languageService({ lint: "/lint", completions: "/completions" }, "token");

beforeEach(() => {
  answers = [];
  sent = [];
});

test("a file's source is sent to find its problems", async () => {
  const problem = { line: 1, column: 0, severity: "warning", message: "unused" };
  answers = [{ status: 200, body: { problems: [problem] } }];
  assert.deepEqual(await service().lint("import os\n"), [problem]);
  const [{ address, options }] = sent;
  assert.deepEqual([address, options.method, JSON.parse(String(options.body))], ["/lint", "POST", { source: "import os\n" }]);
  assert.equal(new Headers(options.headers).get("X-CSRFToken"), "token");
});

test("no problems are shown if the request is refused", async () => {
  assert.deepEqual(await service().lint("import os\n"), []);
});

test("names are requested once, even before they have arrived", async () => {
  const language = service();
  answers = [{ status: 200, body: KNOWN }];
  assert.deepEqual(await Promise.all([language.names(), language.names()]), [KNOWN, KNOWN]);
  assert.deepEqual(await language.names(), KNOWN);
  assert.deepEqual(sent.map(({ address }) => address), ["/completions"]);
});

test("names are requested again after a failure", async () => {
  const language = service();
  assert.deepEqual(await language.names(), NONE);
  answers = [{ status: 200, body: KNOWN }];
  assert.deepEqual(await language.names(), KNOWN);
  assert.equal(sent.length, 2);
});
