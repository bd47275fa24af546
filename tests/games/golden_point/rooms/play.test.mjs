import assert from "node:assert/strict";
import { test } from "node:test";

import "../../../js/words.mjs";

globalThis.document = /** @type {any} */ ({ activeElement: null, documentElement: { lang: "en" } });
globalThis.localStorage = /** @type {any} */ ({ getItem: () => "secret" });

const { PlayForm } = await import("../../../../arena/games/golden_point/rooms/static/rooms/play.js");
const { RefusedError, refusalText } = await import("../../../../arena/games/golden_point/rooms/static/rooms/interface.js");
const { RoomModel } = await import("../../../../arena/games/golden_point/rooms/static/rooms/model.js");

const PLAYER = 3;
const RECOGNIZED = { "/api/State": { nickName: "Ada", hasSubmitted: false }, "/membership": { player: PLAYER, lobby: null, removed: false } };
/** @returns {any} */
const room = (round) => ({ state: "running", finished_rounds: round - 1, round, round_id: `r${round}`, players: 4 });
const closed = (round, picks) => ({ round, golden: 20, day: "2026-03-04", picks, nearest: [picks[0][0]], farthest: [] });

/**
 * A fake form that creates each part when it is first looked up.
 * @returns {any}
 */
function fakeForm() {
  /** @type {{block: string}[]} */
  const scrolls = [];
  const parts = new Map();
  const element = () => ({ dataset: {}, textContent: "", setAttribute() {}, getAttribute: () => "false", addEventListener() {}, scrollIntoView: (options) => scrolls.push(options) });
  return {
    ...element(),
    scrolls,
    dataset: { membershipUrl: "/membership" },
    contains: () => false,
    querySelector(selector) {
      if (!parts.has(selector)) parts.set(selector, element());
      return parts.get(selector);
    },
    get message() {
      return this.querySelector('[data-part="message"]').dataset;
    },
  };
}

async function opened(answers) {
  globalThis.fetch = async (address) => Response.json(answers[new URL(address, "http://arena.example").pathname]);
  const model = new RoomModel({ seq: 1, at: 0, room: room(1), rounds: [], names: { [PLAYER]: "Ada", 1: "Bob" }, day: "2026-03-04", scores: [] });
  const form = fakeForm();
  const own = await new Promise((resolve) => {
    const play = new PlayForm(/** @type {any} */ (form), model, { number: 7, numbers: 1 }, { onOwn: () => resolve(play), onLobby() {} });
  });
  const close = async (round, picks, state = "running") => {
    model.apply({ type: "closed", seq: round + 1, room: { ...room(round + 1), state }, closed: closed(round, picks), names: {} });
    delete form.message.tone;
    await own.roundClosed();
    own.draw();
    return form.message.tone;
  };
  return { close, form, model, play: own };
}

test("the result is reported for numbers sent by another tab or a program", async () => {
  const { close } = await opened(RECOGNIZED);
  assert.equal(await close(1, [[PLAYER, 2, 19]]), "good");
  assert.equal(await close(2, [[1, 2, 19], [PLAYER, -2, 90]]), "bad");
  assert.equal(await close(3, [[1, 1, 19]]), undefined, "the reader did not play in this round");
});

test("the last round's result remains after the room has closed", async () => {
  const { close, form, play } = await opened(RECOGNIZED);
  assert.equal(form.hidden, false);
  assert.equal(await close(1, [[PLAYER, 2, 19]], "finished"), "good");
  assert.equal(form.hidden, false);
  assert.equal(form.querySelector("h2").textContent, "Your result");
  play.draw();
  assert.equal(form.hidden, false, "later events change nothing");
});

test("a room that closes during a round leaves no form", async () => {
  const { form, model, play } = await opened(RECOGNIZED);
  model.apply({ type: "state", seq: 2, room: { ...room(1), state: "finished" } });
  play.draw();
  assert.equal(form.hidden, true);
});

test("a reader whom the owner has renamed is told that the owner's name applies", async () => {
  const { form, model, play } = await opened(RECOGNIZED);
  const note = form.querySelector('[data-part="given-name"]');
  assert.equal(note.hidden, true);
  model.apply({ type: "state", seq: 2, room: { ...room(1), renamed: { [PLAYER]: "Lovelace" } } });
  play.draw();
  assert.equal(note.hidden, false);
  assert.match(note.textContent, /Lovelace/);
  model.apply({ type: "state", seq: 3, room: { ...room(1), renamed: { 1: "Lovelace" } } });
  play.draw();
  assert.equal(note.hidden, true, "the owner renamed somebody else");
});

test("the answer to a submission is scrolled into view, from behind a phone's bottom bar", async () => {
  const { form, play } = await opened({ ...RECOGNIZED, "/api/Submit": {} });
  globalThis.FormData = /** @type {any} */ (
    class extends Map {
      constructor() {
        super();
      }
    }
  );
  /** @type {any} */
  let submit;
  form.addEventListener = (_name, listener) => (submit = listener);
  new PlayForm(/** @type {any} */ (form), play.model, { number: 7, numbers: 1 }, { onOwn() {}, onLobby() {} });
  assert.deepEqual(form.scrolls, []);
  submit({ preventDefault() {} });
  await new Promise((resolve) => setTimeout(resolve, 20));
  assert.deepEqual(form.scrolls, [{ block: "nearest" }]);
});

test("a room that takes one number speaks of one number", () => {
  const refusal = new RefusedError("", "invalid_number");
  assert.notEqual(refusalText(refusal, 1), refusalText(refusal, 2));
  assert.match(refusalText(refusal, 1), /\ba number\b/);
});
