/** A room's current status: its state, the countdown of the round, and the last round's result. */
import { marksOf } from "../../../static/golden_point/marks.js";
import { faultLabel, showStatus } from "#live/labels.js";
import { element, part, setText } from "#site/dom.js";
import { formatNumber, fourDecimals, nameList, playedNumber, signed } from "#site/format.js";
import { Lobby } from "./lobby.js";
import { drawPodium, winnerText } from "./podium.js";

const HURRY = 5; // seconds, at most a quarter of the round
const NAMES_SHOWN = 6;

/** @param {string} state @returns {string} */
export function stateLabel(state) {
  /** @type {Record<string, string>} */
  const labels = { waiting: gettext("Waiting to start"), running: gettext("Running"), paused: gettext("Paused"), finished: gettext("Finished") };
  return labels[state] ?? state;
}

/** @param {number} milliseconds @returns {string} 7, 59, 1:05 */
export function clockText(milliseconds) {
  const seconds = Math.ceil(milliseconds / 1000);
  return seconds < 60 ? String(seconds) : `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/**
 * @param {import("./model.js").RoomModel} model
 * @returns {string} the notice for a room that has started, "" for none
 */
export function noticeText(model) {
  const { room, newest } = model;
  if (room.state === "paused") return gettext("The room is paused, and the countdown has stopped. You can still submit.");
  if (room.state === "running" && newest === 0 && room.submitted === 0) return gettext("No rounds have been played yet. The first round will count as soon as someone submits a number.");
  return "";
}

/** @param {number} rounds how many were played @returns {string} */
function endText(rounds) {
  if (rounds === 0) return gettext("The room is closed. Nobody played in it.");
  return interpolate(ngettext("The room closed after %s round.", "The room closed after %s rounds.", rounds), [formatNumber(rounds)]);
}

export class RoomStatus {
  /**
   * @param {HTMLElement} root
   * @param {import("./model.js").RoomModel} model
   * @param {{number: number, seconds: number, rounds: number, maxPlayers: number}} terms
   * @param {import("./server-clock.js").ServerClock} clock
   * @param {number[] | null} explained ids of the bots whose failures the reader can look up, such as their own; null:
   * all bots
   */
  constructor(root, model, terms, clock, explained) {
    this.root = root;
    this.model = model;
    this.terms = terms;
    this.clock = clock;
    this.explained = explained;
    this.dropped = "[]";
    this.lobby = new Lobby(root);
    this.bar = /** @type {HTMLProgressElement | null} */ (part(root, "bar"));
    setInterval(() => this.tick(), 200);
  }

  draw() {
    const { room } = this.model;
    this.root.dataset.state = room.state;
    showStatus(document.querySelector("[data-room-status]"), room.state, stateLabel(room.state));
    this.#drawNotice();
    this.#drawName();
    this.#drawDropped();
    setText(part(this.root, "round"), this.#roundText());
    setText(part(this.root, "submitted"), this.#submittedText());
    setText(document.querySelector("[data-room-length]"), interpolate(gettext("rounds of %s s"), [room.next_seconds ?? this.terms.seconds]));
    this.lobby.draw(room);
    drawPodium(this.root, room.podium ?? null);
    this.#drawLast();
    this.tick();
  }

  /** Draw the countdown; only the server closes the round. */
  tick() {
    const { room } = this.model;
    const isRunning = room.state === "running";
    const isPlayed = isRunning || room.state === "paused";
    const left = isRunning ? this.clock.until(room.ends_at) : (room.left_ms ?? 0);
    const seconds = room.seconds ?? this.terms.seconds;
    const countdown = part(this.root, "countdown");
    setText(countdown, isPlayed ? clockText(left) : "–");
    countdown?.classList.toggle("is-short", isRunning && left <= Math.min(HURRY, seconds / 4) * 1000);
    if (this.bar) {
      this.bar.max = seconds * 1000;
      this.bar.value = isPlayed ? Math.min(left, this.bar.max) : 0;
    }
  }

  /** Draw the notice; while the room waits, keep the server-rendered one, which says how to start it. */
  #drawNotice() {
    if (this.model.room.state === "waiting") return;
    const notice = noticeText(this.model);
    const container = part(this.root, "notice");
    if (container) container.hidden = !notice;
    setText(part(this.root, "notice-text"), notice);
  }

  /** Draw the room's name, which the owner may change at any time. */
  #drawName() {
    const title = document.querySelector("[data-room-name]");
    const name = this.model.room.name || interpolate(gettext("Room %s"), [this.terms.number]);
    const before = title?.textContent?.trim() ?? "";
    if (!title || name === before) return;
    title.textContent = name;
    document.title = document.title.replace(before, name);
  }

  /** Draw the bots that were recently removed; their authors also get a link to the reason and the log. */
  #drawDropped() {
    const { dropped } = this.model.room;
    const container = part(this.root, "dropped");
    const drawn = JSON.stringify(dropped);
    if (!container || drawn === this.dropped) return;
    this.dropped = drawn;
    container.hidden = dropped.length === 0;
    container.replaceChildren(
      ...dropped.map(([seat, bot, name, fault]) => {
        const isExplained = this.explained === null || this.explained.includes(bot);
        const href = this.root.dataset.seatUrl?.replace("/0/", `/${seat}/`);
        const reason = isExplained ? element("a", { href }, gettext("Reason and log")) : null;
        return element("li", {}, removalText(name, fault), reason ? " " : null, reason);
      }),
    );
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
    if (room.state !== "running" && room.state !== "paused") return "";
    const most = this.terms.maxPlayers || room.players + (room.lobby?.length ?? 0) - (room.removed?.length ?? 0);
    const counts = { submitted: room.submitted, players: Math.max(most, room.submitted) };
    if (!counts.players) return "";
    return interpolate(gettext("%(submitted)s of %(players)s have submitted"), counts, true);
  }

  #drawLast() {
    const { last, seats } = this.model;
    const container = part(this.root, "last");
    if (!container) return;
    container.hidden = last === null;
    if (last === null) return;
    setText(part(container, "last-title"), interpolate(gettext("Round %s"), [last.round]));
    part(container, "last-nearest")?.replaceChildren(...namesOf(marksOf(last, last.nearest, true), seats, last));
    part(container, "last-farthest")?.replaceChildren(...namesOf(marksOf(last, last.farthest, false), seats, last));
  }

  /** @returns {string} the newest round in one sentence, for screen readers; at the end, the winner */
  sentence() {
    const { last, seats } = this.model;
    if (last === null) return "";
    const { podium } = this.model.room;
    if (podium) return winnerText(podium);
    const names = nameList(last.nearest.slice(0, NAMES_SHOWN).map((/** @type {number} */ seat) => seats[seat].name));
    return interpolate(
      gettext("Round %(round)s: golden number %(golden)s, nearest %(names)s."),
      { round: last.round, golden: fourDecimals(last.golden), names },
      true,
    );
  }
}

/** @param {string} name @param {string} fault @returns {string} */
function removalText(name, fault) {
  return fault
    ? interpolate(gettext("%(name)s was removed: %(reason)s."), { name, reason: faultLabel(fault) }, true)
    : interpolate(gettext("%(name)s was removed because of an arena failure."), { name }, true);
}

/**
 * @param {import("../../../static/golden_point/marks.js").Mark[]} marks
 * @param {{name: string}[]} seats
 * @param {{gains: number[]}} round
 * @returns {HTMLElement[]} list items; one that says so if there are no marks, as when all numbers are equally far
 */
export function namesOf(marks, seats, round) {
  if (marks.length === 0) return [element("li", { class: "muted" }, gettext("Nobody"))];
  const shown = marks.slice(0, NAMES_SHOWN).map(({ seat, number }) => {
    const gain = round.gains[seat];
    return element(
      "li",
      {},
      element("strong", { class: "truncate" }, seats[seat].name),
      element("span", { class: "muted nowrap" }, playedNumber(number)),
      gain ? element("span", { class: "room__gain nowrap", "data-sign": gain > 0 ? "up" : "down" }, signed(gain)) : null,
    );
  });
  const rest = marks.length - shown.length;
  if (rest > 0) shown.push(element("li", { class: "muted" }, interpolate(gettext("and %s more"), [rest])));
  return shown;
}
