/** Where a room is just now: its state, the round that counts down, and what the last one was. */
import { element, part, setText } from "./dom.js";
import { goldenNumber, nameList, playedNumber, points } from "./format.js";
import { showStatus } from "./labels.js";
import { marksOf } from "./golden-marks.js";

const HURRY = 5; // seconds, at most a quarter of the round
const NAMES_SHOWN = 6;

/** @param {string} state @returns {string} */
export function stateLabel(state) {
  const labels = { waiting: gettext("Waiting for the start"), running: gettext("Running"), finished: gettext("Finished") };
  return labels[state] ?? state;
}

/** @param {number} milliseconds @returns {string} 7, 59, 1:05 */
export function clockText(milliseconds) {
  const seconds = Math.ceil(milliseconds / 1000);
  return seconds < 60 ? String(seconds) : `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/** @param {import("./room-model.js").RoomModel} model @returns {string} what a reader has to know about the room's state */
export function noticeText(model) {
  const { room, newest } = model;
  if (room.state === "waiting") return gettext("The room has not started: whoever made it starts it. This page goes on by itself then.");
  if (room.state === "running") {
    return newest === 0 ? gettext("No round has been played yet. The first one counts as soon as somebody has submitted.") : "";
  }
  return model.isWhole ? winnerText(model.standings()) : "";
}

/** @param {number} rounds that were played @returns {string} */
function endText(rounds) {
  if (rounds === 0) return gettext("The room has finished, and nobody has played in it.");
  return interpolate(ngettext("The room has finished after %s round.", "The room has finished after %s rounds.", rounds), [rounds]);
}

function winnerText(standings) {
  const best = standings.filter(({ rank }) => rank === 1);
  const names = nameList(best.slice(0, NAMES_SHOWN).map(({ name }) => name));
  const values = { names, points: points(best[0].score) };
  return best.length === 1
    ? interpolate(gettext("%(names)s wins with %(points)s points."), values, true)
    : interpolate(gettext("Shared first place with %(points)s points: %(names)s."), values, true);
}

export class RoomNow {
  /**
   * @param {HTMLElement} root
   * @param {import("./room-model.js").RoomModel} model
   * @param {{seconds: number, rounds: number, mostPlayers: number}} terms
   * @param {import("./server-clock.js").ServerClock} clock
   */
  constructor(root, model, terms, clock) {
    this.root = root;
    this.model = model;
    this.terms = terms;
    this.clock = clock;
    this.bar = /** @type {HTMLProgressElement | null} */ (part(root, "bar"));
    setInterval(() => this.tick(), 200);
  }

  draw() {
    const { room } = this.model;
    this.root.dataset.state = room.state;
    showStatus(document.querySelector("[data-room-status]"), room.state, stateLabel(room.state));
    const notice = noticeText(this.model) || "";
    const holder = part(this.root, "notice");
    if (holder) holder.hidden = !notice;
    setText(part(this.root, "notice-text"), notice);
    setText(part(this.root, "round"), this.#roundText());
    setText(part(this.root, "submitted"), this.#submittedText());
    this.#drawLast();
    this.tick();
  }

  /** The countdown; the server alone closes the round. */
  tick() {
    const { room } = this.model;
    const left = this.clock.until(room.ends_at);
    const countdown = part(this.root, "countdown");
    setText(countdown, room.state === "running" ? clockText(left) : "–");
    countdown?.classList.toggle("is-short", room.state === "running" && left <= Math.min(HURRY, this.terms.seconds / 4) * 1000);
    if (this.bar) {
      this.bar.max = this.terms.seconds * 1000;
      this.bar.value = room.state === "running" ? Math.min(left, this.bar.max) : 0;
    }
  }

  #roundText() {
    const { room } = this.model;
    const { rounds } = this.terms;
    if (room.state === "finished") return endText(room.finished_rounds);
    return rounds
      ? interpolate(gettext("Round %(round)s of %(rounds)s"), { round: room.round, rounds }, true)
      : interpolate(gettext("Round %s"), [room.round]);
  }

  #submittedText() {
    const { room } = this.model;
    if (room.state !== "running") return "";
    const most = this.terms.mostPlayers || room.players;
    const counts = { submitted: room.submitted, players: Math.max(most, room.submitted) };
    return interpolate(gettext("%(submitted)s of %(players)s have submitted"), counts, true);
  }

  #drawLast() {
    const { last, seats } = this.model;
    const holder = part(this.root, "last");
    if (!holder) return;
    holder.hidden = last === null;
    if (last === null) return;
    setText(part(holder, "last-title"), interpolate(gettext("Round %s"), [last.round]));
    part(holder, "last-nearest")?.replaceChildren(...namesOf(marksOf(last, last.nearest, true), seats, last));
    part(holder, "last-farthest")?.replaceChildren(...namesOf(marksOf(last, last.farthest, false), seats, last));
  }

  /** @returns {string} the newest round in one sentence, for those who listen */
  sentence() {
    const { last, seats } = this.model;
    if (last === null) return "";
    const names = nameList(last.nearest.slice(0, NAMES_SHOWN).map((seat) => seats[seat].name));
    return interpolate(
      gettext("Round %(round)s: golden number %(golden)s, nearest %(names)s."),
      { round: last.round, golden: goldenNumber(last.golden), names },
      true,
    );
  }
}

function namesOf(marks, seats, round) {
  if (marks.length === 0) return [document.createTextNode("–")];
  const shown = marks.slice(0, NAMES_SHOWN).map(({ seat, number }) => {
    const gain = round.gains[seat];
    return element(
      "li",
      {},
      element("strong", { class: "truncate" }, seats[seat].name),
      element("span", { class: "muted nowrap" }, playedNumber(number)),
      gain ? element("span", { class: "room__gain nowrap", "data-sign": gain > 0 ? "up" : "down" }, gainText(gain)) : null,
    );
  });
  const rest = marks.length - shown.length;
  if (rest > 0) shown.push(element("li", { class: "muted" }, interpolate(gettext("and %s more"), [rest])));
  return shown;
}

/** @param {number} gain @returns {string} +5, −2, 0 */
export function gainText(gain) {
  return gain > 0 ? `+${gain}` : gain < 0 ? `−${-gain}` : "0";
}
