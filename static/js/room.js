/** A room's page: the chart, scores and countdown of a room that runs, and a form to play in it. */
import { element, pageData, part, setText } from "./dom.js";
import { GoldenChart } from "./golden-chart.js";
import { RoomModel } from "./room-model.js";
import { refusalText } from "./room-refusals.js";

const POLL_MS = 1000;
const USER = "arena-room-user"; // the key under which the browser keeps who one is in rooms
const RUNNING = 0;
const WAITING = 1;

const { room, numbers } = pageData("room");
const root = /** @type {HTMLElement} */ (document.querySelector("[data-room]"));
const form = /** @type {HTMLFormElement | null} */ (part(root, "play"));
const model = new RoomModel();
/** @type {GoldenChart | null} */
let chart = null;
let uid = localStorage.getItem(USER) ?? "";
let roundId = "";
let waitsForScore = false;

/** @param {string} name @param {Record<string, string | number>} parameters @param {string} [method] */
async function call(name, parameters, method = "GET") {
  const query = new URLSearchParams(Object.entries(parameters).map(([key, value]) => [key, String(value)]));
  const answer = await fetch(`/api/${name}?${query}`, { method, cache: "no-store" });
  const body = await answer.json();
  if (!answer.ok) throw new Error(body.message);
  return body;
}

/** What is missing of the closed rounds: the last hundred at first, then what came since. */
async function readRounds() {
  const since = model.newest ? { startrid: model.newest.roundId, direction: 1 } : {};
  const grown = model.add(await call("History", { roomid: room, count: 100, ...since }));
  if (model.newest === null) return;
  if (grown || chart === null) {
    chart?.destroy();
    chart = new GoldenChart(/** @type {HTMLElement} */ (part(root, "chart")), { seats: model.seats });
  }
  chart.draw(model.rounds, model.rounds.length - 1);
  showGain();
  showScores((await call("TodayScore", { roomid: room })).scoreList);
}

function showGain() {
  const gain = model.lastGain(uid);
  if (!waitsForScore || gain === null) return;
  waitsForScore = false;
  say(interpolate(gettext("You got %s points in the last round."), [gain]));
}

/** @param {{nickName: string, score: number}[]} scores */
function showScores(scores) {
  const line = ({ nickName, score }) =>
    element("tr", {}, element("th", { scope: "row" }, nickName), element("td", { class: "number" }, String(score)));
  part(root, "scores")?.replaceChildren(...scores.map(line));
}

/** @param {string} text */
function say(text) {
  if (form) setText(part(form, "said"), text);
}

/** @param {{state: number, leftTime: number}} state */
function showState({ state, leftTime }) {
  const names = { [RUNNING]: gettext("Running"), [WAITING]: gettext("Waiting for the start") };
  setText(document.querySelector('[data-part="state"]'), names[state] ?? gettext("Finished"));
  const left = state === RUNNING ? interpolate(gettext("%s seconds left"), [leftTime]) : "";
  setText(document.querySelector('[data-part="left"]'), left);
}

async function poll() {
  try {
    const state = await call("State", { roomid: room, uid });
    showState(state);
    if (state.roundId !== roundId) {
      await readRounds();
      roundId = state.roundId; // only now: what failed is read again
    }
  } catch {
    setText(document.querySelector('[data-part="left"]'), gettext("The site did not answer. Trying again."));
  }
  setTimeout(poll, POLL_MS);
}

/** @param {string} nickName who one is in rooms from now on */
async function introduce(nickName) {
  if (!uid) {
    uid = (await call("NewUser", { nickName })).userId;
    localStorage.setItem(USER, uid);
    return;
  }
  try {
    await call("NickName", { uid, nickName }, "POST");
  } catch {
    uid = ""; // another installation's, or one of before its data were lost
    await introduce(nickName);
  }
}

async function play() {
  const given = new FormData(/** @type {HTMLFormElement} */ (form));
  const named = numbers === 2 ? { n1: String(given.get("n1")), n2: String(given.get("n2")) } : { n1: String(given.get("n1")) };
  try {
    await introduce(String(given.get("nickname")));
    await call("Submit", { uid, rid: (await call("State", { roomid: room, uid })).roundId, ...named }, "POST");
    waitsForScore = true;
    say(gettext("Your numbers count. The round closes soon."));
  } catch (error) {
    say(refusalText(error instanceof Error ? error.message : String(error)));
  }
}

form?.addEventListener("submit", (event) => {
  event.preventDefault();
  void play();
});
void poll();
