/**
 * Web worker that runs two learners. It receives `{plan, optimistic}` to start over, "pause" or "go"; it posts
 * `{solved: V(start)}` once, and then `{progress: [zero, optimistic], isDone}` repeatedly.
 */
import { Learner, Truth } from "./learner.js";

const SLICE_MS = 200; // between reports; pending messages are handled in between
const GAMES_AT_ONCE = 100;

/** @type {Truth | null} */
let truth = null;
/** @type {Learner[]} */
let learners = [];
let runs = false;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let next;

addEventListener("message", ({ data }) => {
  if (data === "pause") {
    runs = false;
    return;
  }
  if (data !== "go") begin(data);
  runs = true;
  clearTimeout(next);
  next = setTimeout(slice);
});

/** @param {{plan: import("./learner.js").Plan, optimistic: number}} wanted */
function begin({ plan, optimistic }) {
  if (!truth) {
    truth = new Truth();
    postMessage({ solved: truth.start });
  }
  const solved = truth;
  learners = [0, optimistic].map((initial) => new Learner(solved, { ...plan, initial }));
}

function slice() {
  if (!runs) return;
  const end = performance.now() + SLICE_MS;
  while (performance.now() < end && learners.some((one) => !one.isDone)) for (const one of learners) one.play(GAMES_AT_ONCE);
  const isDone = learners.every((one) => one.isDone);
  postMessage({ progress: learners.map((one) => one.report()), isDone });
  runs = !isDone;
  if (runs) next = setTimeout(slice);
}
