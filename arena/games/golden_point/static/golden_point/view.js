/** The view of a golden-point match: chart and scores. */
import { faultLabel } from "#live/labels.js";
import { part, setText } from "#site/dom.js";
import { duration, fourDecimals, nameList, playedNumbers, points, signed } from "#site/format.js";
import { pairResult, tableResult } from "#matches/results.js";
import { caption } from "./captions.js";
import { GoldenChart } from "./chart.js";

/** @typedef {import("#matches/match-model.js").MatchModel} MatchModel */
/** @typedef {import("./readout.js").Round & {out: number[]}} View a round as a match shows it */

/** Milliseconds per turn in a replay at normal speed. */
export const TURN_MS = 450;

/** @param {number} turn @param {number} turns @returns {string} */
export function turnText(turn, turns) {
  return interpolate(gettext("Round %(turn)s of %(turns)s"), { turn, turns }, true);
}

/**
 * @param {import("#matches/game-view.js").Parts} parts
 * @param {import("#matches/match-model.js").MatchModel} model
 * @returns {import("#matches/game-view.js").GameView}
 */
export function mount(parts, model) {
  let choose = (/** @type {number} */ _index) => {};
  const chart = new GoldenChart(/** @type {HTMLElement} */ (part(parts.display, "chart")), {
    seats: model.seats,
    total: model.match.settings.rounds,
    compact: parts.side === null,
    onChoose: (round) => choose(round),
    onMissing: (first, last) => model.want(first, last),
  });
  const scores = parts.side ? new Scores(parts.side, model, chart) : null;
  /** @type {import("./readout.js").Round[]} */
  const rough = [];
  return {
    show(index) {
      chart.draw(roundsOf(model, rough), Math.max(0, index));
      scores?.show(index);
    },
    restart() {
      rough.length = 0;
      chart.seats = model.seats;
      chart.draw([], 0);
    },
    sentence: (index) => sentence(model, index),
    result: () => result(model),
    scores: (index) => (scoresAt(model, index) ?? model.seats.map(() => 0)).map(points),
    ranks: (index) => ranksAt(model, index),
    caption: (index) => caption(model, index, ranksAt(model, index)),
    lead: model.seats.length === 2 ? leadOfPair(model) : undefined,
    onChoose(chosen) {
      choose = chosen;
    },
  };
}

/** @param {MatchModel} model @param {number} index @returns {number[] | undefined} by seat; undefined if it is not loaded */
function scoresAt(model, index) {
  return /** @type {View | undefined} */ (model.turns[index]?.view)?.scores;
}

/** @param {MatchModel} model @param {number} index @returns {number[]} by seat */
function ranksAt(model, index) {
  const view = /** @type {View | undefined} */ (model.turns[index]?.view);
  return view ? ranksOf(view) : model.seats.map(() => 1);
}

/** @param {MatchModel} model a two-seat match @returns {import("#matches/game-view.js").Lead} */
function leadOfPair(model) {
  return {
    at(index) {
      const found = scoresAt(model, index);
      return found ? found[0] - found[1] : null;
    },
    unit: (size) => ngettext("point", "points", size),
    full: 20,
    usualTurns: model.match.settings.rounds + 1,
  };
}

/**
 * Return all rounds. For rounds of a long match that are not loaded, these are rough: the golden number and some
 * numbers from the overview.
 * @param {Pick<MatchModel, "turns" | "overview">} model
 * @param {import("./readout.js").Round[]} rough a cache of rough rounds, by round
 * @returns {import("./readout.js").Round[]}
 */
export function roundsOf({ turns, overview }, rough) {
  return Array.from(turns, (turn, round) => turn?.view ?? (rough[round] ??= roughRound(round, overview)));
}

/**
 * @param {number} round
 * @param {{golden: (number | null)[], seats: number[], numbers: (number[] | null)[][]} | null} overview as returned by
 * GoldenOverview in overview.py
 * @returns {import("./readout.js").Round}
 */
function roughRound(round, overview) {
  /** @type {(number[] | null)[]} */
  const numbers = [];
  overview?.seats.forEach((seat, place) => (numbers[seat] = overview.numbers[round]?.[place] ?? null));
  return { round, golden: overview?.golden[round] ?? null, numbers, nearest: [], farthest: [], scores: [], gains: [], isRough: true };
}

/** @param {import("#matches/match-model.js").MatchModel} model @param {number} index */
function sentence(model, index) {
  const view = model.turns[index]?.view;
  if (!view || view.golden === null) return "";
  const names = view.nearest.slice(0, 3).map((/** @type {number} */ seat) => model.seats[seat].name);
  return interpolate(
    gettext("Round %(round)s: golden number %(golden)s, nearest %(names)s."),
    { round: view.round, golden: fourDecimals(view.golden), names: nameList(names) },
    true,
  );
}

/** @param {import("#matches/match-model.js").MatchModel} model */
function result(model) {
  if (model.outcome && model.seats.length === 2) return pairResult(model, model.outcome.points.map(points));
  return tableResult(model);
}

/** The score table: follows the shown round; clicking a row highlights it in the chart. */
class Scores {
  /** @param {HTMLElement} root @param {MatchModel} model @param {GoldenChart} chart */
  constructor(root, model, chart) {
    this.model = model;
    this.chart = chart;
    this.body = /** @type {HTMLTableSectionElement} */ (root.querySelector("tbody"));
    /** @type {HTMLTableRowElement[]} by seat */
    this.rows = [];
    for (const row of /** @type {NodeListOf<HTMLTableRowElement>} */ (root.querySelectorAll("tr[data-seat]"))) this.rows[Number(row.dataset.seat)] = row;
    this.pinned = new Set();
    this.rows.forEach((row, seat) => this.#listen(row, seat));
  }

  /** @param {HTMLTableRowElement} row @param {number} seat */
  #listen(row, seat) {
    row.addEventListener("pointerenter", () => this.chart.choose([...this.pinned, seat]));
    row.addEventListener("pointerleave", () => this.chart.choose(this.pinned));
    row.addEventListener("click", (event) => {
      if (/** @type {HTMLElement} */ (event.target).closest("a")) return;
      if (!this.pinned.delete(seat)) this.pinned.add(seat);
      row.setAttribute("aria-selected", String(this.pinned.has(seat)));
      this.chart.choose(this.pinned);
    });
    row.addEventListener("focusin", () => this.chart.choose([...this.pinned, seat]));
    row.addEventListener("focusout", () => this.chart.choose(this.pinned));
  }

  /** @param {number} index */
  show(index) {
    const view = this.model.turns[index]?.view;
    if (!view) return;
    const outcome = index === this.model.last ? this.model.outcome : null;
    const ranks = outcome ? outcome.ranks : ranksOf(view);
    const played = new Map(this.model.turns[index].moves.map((move) => [move.seat, move]));
    this.rows.forEach((row, seat) => {
      this.#drawRow(row, seat, view, ranks[seat]);
      setText(part(row, "time"), timeText(played.get(seat)));
    });
    const order = this.rows.map((_, seat) => seat).sort((a, b) => ranks[a] - ranks[b] || a - b);
    const wanted = order.map((seat) => this.rows[seat]);
    if (wanted.some((row, place) => this.body.rows[place] !== row)) this.body.append(...wanted);
  }

  /** @param {HTMLTableRowElement} row @param {number} seat @param {View} view @param {number} rank */
  #drawRow(row, seat, view, rank) {
    const gain = view.gains[seat] ?? 0;
    const isOut = view.out.includes(seat);
    setText(part(row, "rank"), String(rank));
    setText(part(row, "numbers"), playedNumbers(view.numbers[seat]));
    const cell = part(row, "gain");
    setText(cell, gain ? signed(gain) : "");
    if (cell) cell.dataset.sign = gain > 0 ? "up" : gain < 0 ? "down" : "";
    setText(part(row, "score"), points(view.scores[seat]));
    row.classList.toggle("is-out", isOut);
    this.#drawFault(row, seat, isOut);
  }

  /** @param {HTMLTableRowElement} row @param {number} seat @param {boolean} isOut */
  #drawFault(row, seat, isOut) {
    const fault = isOut ? this.#faultOf(seat) : null;
    const shown = part(row, "fault");
    if (!fault) {
      shown?.remove();
    } else if (!shown) {
      const badge = document.createElement("span");
      badge.className = "badge";
      badge.dataset.tone = "bad";
      badge.dataset.part = "fault";
      badge.textContent = faultLabel(fault);
      row.querySelector(".scores__seat")?.append(badge);
    }
  }

  /**
   * Return the fault for which a seat was removed from the match: the seat's own if the match is over, else its last
   * move's.
   * @param {number} seat
   */
  #faultOf(seat) {
    if (this.model.seats[seat].fault) return this.model.seats[seat].fault;
    for (let index = this.model.last; index >= 0; index -= 1) {
      const played = this.model.turns[index]?.moves.find((move) => move.seat === seat);
      if (played) return played.fault;
    }
    return null;
  }
}

/**
 * Describe how long a seat thought in a round, and how many of its answers were rejected.
 * @param {import("#matches/match-model.js").Played | undefined} played
 */
function timeText(played) {
  if (!played) return "";
  const refused = played.refused;
  const time = duration(played.seconds);
  if (!refused) return time;
  return `${time} · ${interpolate(ngettext("%s answer rejected", "%s answers rejected", refused), [refused])}`;
}

/**
 * Return ranks by score; ties share the better rank, and removed seats rank below all others.
 * @param {View} view
 * @returns {number[]} by seat
 */
function ranksOf(view) {
  const out = new Set(view.out);
  const key = (/** @type {number} */ seat) => (out.has(seat) ? -1e9 : 0) + view.scores[seat];
  const keys = view.scores.map((_, seat) => key(seat));
  const sorted = [...keys].sort((a, b) => b - a);
  const first = new Map();
  sorted.forEach((value, place) => first.has(value) || first.set(value, place + 1));
  return keys.map((value) => first.get(value));
}
