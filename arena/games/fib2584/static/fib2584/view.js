/** The 2584 match view: a board for each seat, scores and regrets. */
import { moveFaultLabel } from "#live/labels.js";
import { element, part, setText } from "#site/dom.js";
import { formatNumber, paragraph, score } from "#site/format.js";
import { pairResult, tableResult, withFaults } from "#matches/results.js";
import { TilesBoard, arrow, directionName, legalDirections, tileValue, tilesOf } from "./board.js";
import { caption } from "./captions.js";
import { DirectionInput } from "./direction-input.js";
import { gameOfMoves, scoreAfterMove } from "./games.js";

/** @typedef {import("#matches/match-model.js").MatchModel} MatchModel */
/**
 * A turn as the rules expose it, with values by seat; `regrets`: of the moves that led to this turn, null for a seat
 * that did not move.
 * @typedef {{game: number, games: number, boards: string[], scores: number[], totals: number[], best_tiles: number[], best_games: number[], adjusted: number[], regrets: (number | null)[], out: number[]}} View
 */

/** Milliseconds per turn in a replay at normal speed. */
export const TURN_MS = 600;

const SHOWS_REGRET = "fib2584-shows-regret";

/**
 * @param {import("#matches/game-view.js").Parts} parts
 * @param {MatchModel} model
 * @returns {import("#matches/game-view.js").GameView}
 */
export function mount({ display, side }, model) {
  const boards = new Boards(display, model);
  const scores = side ? new Scores(side, display, model) : null;
  const input = side ? new DirectionInput(display) : null;
  return {
    show(index, animate) {
      if (!model.turns[index]) return;
      boards.show(index, animate);
      scores?.show(index);
    },
    restart() {},
    sentence: (index) => sentence(model, index),
    result: () => result(model),
    caption: (index) => caption(model, index),
    ranks: (index) => ranksOf(model, index),
    ...compared(model),
    moveInput: {
      offer: (moves, play) => input?.offer(/** @type {number[]} */ (moves), play),
      hint: (move) => boards.hint(typeof move === "number" ? move : null),
    },
  };
}

/**
 * Return the lead in luck-adjusted scores if there are two seats, otherwise the points that its moves have given away
 * so far.
 * @param {MatchModel} model
 * @returns {Pick<import("#matches/game-view.js").GameView, "scores" | "lead">}
 */
function compared(model) {
  const viewAt = (/** @type {number} */ index) => /** @type {View | undefined} */ (model.turns[index]?.view);
  const scores = (/** @type {number} */ index) => (viewAt(index)?.adjusted ?? []).map((one) => score(one, 1));
  if (model.seats.length === 1) return { scores, lead: { at: givenAway(model), unit: () => gettext("given away"), full: 100 } };
  if (model.seats.length > 2) return { scores };
  const lead = (/** @type {number} */ index) => {
    const view = viewAt(index);
    return view ? view.adjusted[0] - view.adjusted[1] : null;
  };
  return { scores, lead: { at: lead, unit: (size) => ngettext("point", "points", size), full: 200 } };
}

/** @param {MatchModel} model @param {number} index @returns {number[]} by luck-adjusted score; removed seats are last */
function ranksOf({ turns }, index) {
  const view = /** @type {View | undefined} */ (turns[index]?.view);
  const worth = (view?.adjusted ?? []).map((score, seat) => score - (view?.out.includes(seat) ? 1e9 : 0));
  return worth.map((one) => 1 + worth.filter((other) => other > one).length);
}

/**
 * @param {MatchModel} model a single-seat match
 * @returns {(index: number) => number | null} the negative sum of its regrets; null if turns are missing
 */
function givenAway(model) {
  /** @type {number[]} */
  const sums = [];
  return (index) => {
    if (index === 0) sums.length = 0; // the match may have restarted
    for (let at = sums.length; at <= index; at += 1) {
      const view = /** @type {View | undefined} */ (model.turns[at]?.view);
      if (!view) return null;
      sums.push((sums[at - 1] ?? 0) - (view.regrets[0] ?? 0));
    }
    return sums[index];
  };
}

/** @param {View} view @param {number} seat @returns {number[]} */
export function legalMoves(view, seat) {
  return view.out.includes(seat) ? [] : legalDirections(tilesOf(view.boards[seat]));
}

/** @param {import("#matches/game-view.js").Move} move @returns {string} */
export function moveLabel(move) {
  return typeof move === "number" ? `${arrow(move)} ${directionName(move)}` : "";
}

class Boards {
  /** @param {HTMLElement} display @param {MatchModel} model */
  constructor(display, model) {
    this.display = display;
    this.model = model;
    this.seats = [.../** @type {NodeListOf<HTMLElement>} */ (display.querySelectorAll("[data-seat]"))];
    this.boards = this.seats.map((seat) => new TilesBoard(/** @type {HTMLElement} */ (seat.querySelector("[data-tiles]"))));
    this.index = -1;
  }

  /** @param {number} index @param {boolean} animate */
  show(index, animate) {
    const turn = this.model.turns[index];
    /** @type {View} */
    const view = turn.view;
    const before = this.model.turns[index - 1]?.view;
    const played = gameOfMoves(this.model.turns, index) ?? view.game;
    const isNext = animate && index === this.index + 1 && played === view.game;
    this.index = index;
    const text = interpolate(gettext("Game %(game)s of %(games)s"), { game: view.game, games: view.games }, true);
    setText(part(this.display, "game"), text);
    this.seats.forEach((seat, at) => {
      const move = turn.moves.find((one) => one.seat === at && !one.fault)?.move;
      this.boards[at].draw(view.boards[at], isNext && typeof move === "number" ? { board: before.boards[at], direction: move } : null);
      setText(part(seat, "score"), String(view.scores[at]));
      seat.classList.toggle("is-out", view.out.includes(at));
      seat.classList.toggle("is-over", legalMoves(view, at).length === 0);
      drawMove(part(seat, "move"), move, view.regrets[at], played === view.game ? null : played);
    });
  }

  /** @param {number | null} direction */
  hint(direction) {
    const seat = this.model.reader?.seat ?? 0;
    this.boards[seat]?.hint(direction);
  }
}

/**
 * @param {HTMLElement | null} place
 * @param {unknown} move
 * @param {number | null} regret
 * @param {number | null} past the game of this move if the board already shows the next game
 */
function drawMove(place, move, regret, past) {
  place?.classList.toggle("is-past", past !== null);
  if (typeof move !== "number") {
    place?.replaceChildren();
    return;
  }
  const lost = element("span", { class: "boards__regret", "data-lost": lossLevel(regret ?? 0) }, regretText(regret));
  const label = past === null ? moveLabel(move) : interpolate(gettext("Game %(game)s: %(move)s"), { game: past, move: moveLabel(move) }, true);
  place?.replaceChildren(`${label} `, lost);
}

/** @param {number} regret @returns {string} the size of the loss, for its colour */
function lossLevel(regret) {
  if (regret < 0.005) return "none";
  return regret < 10 ? "small" : regret < 100 ? "large" : "huge";
}

/** @param {number | null} regret @returns {string} */
function regretText(regret) {
  if (!regret || regret < 0.005) return gettext("best");
  return `−${formatNumber(regret, regret < 100 ? 2 : 0)}`;
}

class Scores {
  /** @param {HTMLElement} side @param {HTMLElement} display @param {MatchModel} model */
  constructor(side, display, model) {
    this.model = model;
    this.body = /** @type {HTMLTableSectionElement | null} */ (part(side, "scores")?.querySelector("tbody") ?? null);
    /** @type {HTMLElement[]} */
    this.rows = [];
    for (const row of /** @type {NodeListOf<HTMLElement>} */ (this.body?.querySelectorAll("[data-seat]") ?? [])) this.rows[Number(row.dataset.seat)] = row;
    const choice = /** @type {HTMLInputElement | null} */ (part(side, "show-regret"));
    const follow = () => {
      const shows = choice?.checked ?? true;
      display.classList.toggle("hides-regret", !shows);
      side.classList.toggle("hides-regret", !shows);
    };
    if (choice) choice.checked = localStorage.getItem(SHOWS_REGRET) !== "no";
    choice?.addEventListener("change", () => {
      localStorage.setItem(SHOWS_REGRET, choice.checked ? "yes" : "no");
      follow();
    });
    follow();
  }

  /** @param {number} index */
  show(index) {
    /** @type {View} */
    const view = this.model.turns[index].view;
    this.rows.forEach((row, seat) => {
      setText(part(row, "adjusted"), score(view.adjusted[seat], 1));
      setText(part(row, "mean"), formatNumber(view.totals[seat] / view.game, 1));
      setText(part(row, "best-game"), String(view.best_games[seat]));
      setText(part(row, "best-tile"), tileValue(view.best_tiles[seat]));
      row.classList.toggle("is-out", view.out.includes(seat));
    });
    const isOut = new Set(view.out);
    const worth = (/** @type {number} */ seat) => view.adjusted[seat] - (isOut.has(seat) ? 1e9 : 0);
    const order = this.rows.map((_, seat) => seat).sort((a, b) => worth(b) - worth(a) || a - b);
    if (order.some((seat, place) => this.body?.rows[place] !== this.rows[seat])) this.body?.append(...order.map((seat) => this.rows[seat]));
  }
}

/** @param {MatchModel} model @param {number} index */
function sentence(model, index) {
  const turn = model.turns[index];
  if (!turn) return "";
  /** @type {View} */
  const view = turn.view;
  const few = turn.moves.length <= 4 ? turn.moves : [];
  const sentences = few.map((played) => {
    const { seat, move } = played;
    const { name } = model.seats[seat];
    const why = moveFaultLabel(model.seats[seat], played);
    if (why) return interpolate(gettext("%(name)s: %(why)s."), { name, why }, true);
    const values = { name, direction: directionName(move), score: scoreAfterMove(model.turns, index, seat) };
    const regret = view.regrets[seat] ?? 0;
    if (regret < 0.005) return interpolate(gettext("%(name)s moves %(direction)s, one of the best moves; score %(score)s."), values, true);
    return interpolate(gettext("%(name)s moves %(direction)s and gives away %(regret)s; score %(score)s."), { ...values, regret: formatNumber(regret, regret < 0.05 ? 2 : 1) }, true);
  });
  const played = gameOfMoves(model.turns, index);
  if (few.length > 0 && played !== undefined && played !== view.game) {
    sentences.unshift(interpolate(gettext("End of game %(game)s of %(games)s:"), { game: played, games: view.games }, true));
  }
  const lead = view.adjusted.indexOf(Math.max(...view.adjusted));
  if (few.length === 0) sentences.push(interpolate(gettext("Game %(game)s of %(games)s: %(name)s leads."), { game: view.game, games: view.games, name: model.seats[lead].name }, true));
  return paragraph(sentences);
}

/** @param {MatchModel} model @returns {string} worded as in arena/matches/templatetags/results.py */
function result(model) {
  const { outcome, reader, seats } = model;
  if (!outcome || seats.length > 2 || outcome.termination === "time_limit") return tableResult(model);
  const scores = outcome.points.map((/** @type {number} */ one) => score(one, 1));
  if (seats.length === 2) return pairResult(model, scores);
  const adjusted = interpolate(gettext("Luck-adjusted score: %s"), scores);
  return reader?.is === "person" && seats[0].fault === "resigned" ? interpolate(gettext("You resigned. %s"), [adjusted]) : withFaults(adjusted, model);
}
