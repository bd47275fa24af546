/**
 * The /learn/ page without reloads: the server renders the parts that change, and this script swaps them in.
 *
 * Invariants: every state of the page has a URL, which the browser shows; clicks are processed in order, each in the
 * state that the previous one led to, so that no move is lost, however fast they come; only the slider does not wait,
 * and only the response to its newest request is shown; the focus stays on the pressed control.
 */
import { setText } from "../site/dom.js";
import { request } from "../site/requests.js";

const PARTS = ["play", "watch-links", "watch-shown", "sums"];
// The part that is announced after a click in a section.
/** @type {Record<string, string>} */
const ANNOUNCERS = { play: "play", watch: "watch-shown" };
const STEP_MS = 900; // for automatic playback: long enough to read a sum

/** @type {AbortController | null} of the request under way */
let underWay = null;
/** @type {ReturnType<typeof setTimeout> | undefined} of the next step during automatic playback */
let timer;
let runs = false;
/** Resolves when the earlier clicks are processed. @type {Promise<void>} */
let done = Promise.resolve();

/**
 * @param {string} address
 * @param {string} section the section of the pressed control, "" if nothing is to be announced
 */
async function show(address, section) {
  underWay?.abort();
  underWay = new AbortController();
  try {
    const response = await request(address, { headers: { Accept: "text/html" }, signal: underWay.signal });
    if (!response.ok) throw new Error(response.statusText);
    replaceParts(new DOMParser().parseFromString(await response.text(), "text/html"), section);
    history.replaceState(null, "", new URL(address, location.href));
  } catch (error) {
    if (/** @type {Error} */ (error).name !== "AbortError") location.assign(address); // the browser shows the error
  }
}

/** @param {Document} drawn @param {string} section */
function replaceParts(drawn, section) {
  const pressed = /** @type {HTMLElement | null} */ (document.activeElement?.closest("[data-key]"))?.dataset.key;
  for (const id of PARTS) {
    const old = document.getElementById(id);
    const fresh = drawn.getElementById(id);
    if (!old || !fresh || old.isEqualNode(fresh)) continue;
    keepOpen(old, fresh);
    old.replaceWith(document.adoptNode(fresh));
  }
  keepSlide(drawn);
  if (pressed) focus(pressed);
  if (section) setText(document.getElementById("learn-status"), document.getElementById(ANNOUNCERS[section])?.dataset.announcement ?? "");
  showRunning();
}

/** Keep open `<details>` open. @param {HTMLElement} old @param {HTMLElement} fresh */
function keepOpen(old, fresh) {
  if (old.matches("details[open]")) fresh.setAttribute("open", "");
  for (const details of old.querySelectorAll("details[open][id]")) {
    fresh.querySelector(`details#${details.id}`)?.setAttribute("open", "");
  }
}

/** Keep the slider, which may be held, and change only its output and values. @param {Document} drawn */
function keepSlide(drawn) {
  const [old, fresh] = [document, drawn].map((page) => page.querySelector("form[data-slide]"));
  if (!old || !fresh) return;
  setText(old.querySelector("output"), fresh.querySelector("output")?.textContent ?? "");
  for (const field of /** @type {NodeListOf<HTMLInputElement>} */ (old.querySelectorAll("input[name]"))) {
    if (field === document.activeElement && !runs) continue;
    field.value = /** @type {HTMLInputElement} */ (fresh.querySelector(`input[name=${field.name}]`)).value;
  }
}

/** @param {string} key if that control is gone, the focus goes to the part's first control */
function focus(key) {
  const same = /** @type {HTMLElement | null} */ (document.querySelector(`[data-key="${key}"]:not([aria-disabled], :disabled)`));
  const other = /** @type {HTMLElement | null} */ (
    document.querySelector(`#${key.startsWith("action") || key === "anew" ? "play" : "watch"} :is(a, button)[data-key]:not(:disabled)`)
  );
  (same ?? other)?.focus({ preventScroll: true });
}

function run() {
  if (!nextStep()) return stop();
  timer = setTimeout(() => inTurn(() => (runs ? show(nextStep()?.href ?? "", "") : undefined)).then(() => runs && run()), STEP_MS);
}

function nextStep() {
  return /** @type {HTMLAnchorElement | null} */ (document.querySelector('a[data-key="next"]'));
}

function stop() {
  clearTimeout(timer);
  runs = false;
  showRunning();
}

function showRunning() {
  const button = document.querySelector("[data-play]");
  setText(button, runs ? gettext("Stop") : gettext("Run"));
  const range = /** @type {HTMLInputElement | null} */ (document.querySelector("[data-slide] [name=step]"));
  range?.style.setProperty("--share", String(Number(range.value) / Number(range.max)));
}

document.addEventListener("click", (event) => {
  const pressed = /** @type {HTMLElement} */ (event.target);
  if (event.ctrlKey || event.metaKey || event.shiftKey) return;
  const link = /** @type {HTMLAnchorElement | null} */ (pressed.closest("a[data-stay]"));
  if (link) {
    event.preventDefault();
    stop();
    press(link);
  } else if (pressed.closest("[data-play]")) {
    if (runs) return stop();
    runs = true;
    showRunning();
    run();
  }
});

document.addEventListener("submit", (event) => {
  const form = /** @type {HTMLFormElement} */ (event.target);
  if (!form.matches("[data-stay]")) return;
  event.preventDefault();
  if (event.submitter?.dataset.key) press(event.submitter);
  else send(form, null);
});

/** @param {() => Promise<void> | undefined} job */
function inTurn(job) {
  return (done = done.then(job));
}

/** @param {HTMLElement} pressed may be replaced or removed before its turn comes */
function press({ dataset: { key } }) {
  inTurn(() => {
    const fresh = document.querySelector(`:is(a, button)[data-key="${key}"]`);
    if (fresh instanceof HTMLAnchorElement) return show(fresh.href, fresh.closest("section")?.id ?? "");
    return fresh instanceof HTMLButtonElement && fresh.form ? send(fresh.form, fresh) : undefined;
  });
}

document.addEventListener("input", (event) => {
  const form = /** @type {HTMLElement} */ (event.target).closest("[data-slide]");
  if (!form) return;
  stop();
  send(/** @type {HTMLFormElement} */ (form), null);
});

/** @param {HTMLFormElement} form @param {HTMLElement | null} submitter */
function send(form, submitter) {
  const fields = new FormData(form, submitter);
  // a button named "action" shadows the `action` property
  const address = new URL(form.getAttribute("action") ?? "", location.href);
  address.search = String(new URLSearchParams(/** @type {any} */ (fields)));
  return show(address.href, form.closest("section")?.id ?? "");
}

showRunning();
