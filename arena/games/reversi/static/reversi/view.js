/** The view of a Reversi match: board, players, counts, moves. */
import { faultLabel, moveFaultLabel } from "#live/labels.js";
import { element, part, setText } from "#site/dom.js";
import { duration, paragraph } from "#site/format.js";
import { keepInView } from "#site/keep-in-view.js";
import { pairResult } from "#matches/results.js";
import { saveImage } from "./board-image.js";
import { ReversiBoard, sideName } from "./board.js";
import { Captions, workerSolver } from "./captions.js";

/** @typedef {import("#matches/match-model.js").Seat} Seat */
/** @typedef {import("#matches/match-model.js").Played} Played */
/** @typedef {import("./board.js").ReversiView} View */

/** Milliseconds per turn in a replay at normal speed. */
export const TURN_MS = 900;

const USUAL_TURNS = 61; // sixty moves, rarely fewer

const COLORS = /** @type {const} */ (["X", "O"]);

/** @param {number} turn @param {number} turns @returns {string} */
export function turnText(turn, turns) {
  return interpolate(gettext("Move %(turn)s of %(turns)s"), { turn, turns }, true);
}

/**
 * @param {import("#matches/game-view.js").Parts} parts
 * @param {import("#matches/match-model.js").MatchModel} model
 * @returns {import("#matches/game-view.js").GameView}
 */
export function mount(parts, model) {
  const place = /** @type {HTMLElement} */ (parts.display.querySelector("[data-reversi-board]"));
  const board = new ReversiBoard(place);
  const captions = new Captions(model, workerSolver(place.dataset.endgame ?? ""));
  const side = parts.side ? new SidePanel(parts.side, model) : null;
  return {
    show(index, animate) {
      const turn = model.turns[index];
      if (turn) board.draw(turn.view, { animate, showLegal: model.outcome === null || index < model.last });
      side?.show(index);
    },
    restart: () => side?.restart(),
    sentence: (index) => sentence(model, index),
    result: () => result(model),
    scores: (index) => COLORS.map((color) => String(countsAt(model, index)[color])),
    caption: (index, changed) => captions.at(index, changed),
    lead: { at: (index) => countsAt(model, index).X - countsAt(model, index).O, unit: (size) => ngettext("disc", "discs", size), full: 32, usualTurns: USUAL_TURNS },
    moveInput: {
      offer: (moves, play) => board.offer(moves, play),
      hint: (move) => board.hint(move),
    },
  };
}

/** @param {import("#matches/match-model.js").MatchModel} model @param {number} index @returns {{X: number, O: number}} */
function countsAt(model, index) {
  return model.turns[index]?.view.counts ?? { X: 2, O: 2 };
}

/** @param {View} view @returns {number[]} */
export function seatsToMove(view) {
  return view.to_move ? [COLORS.indexOf(view.to_move)] : [];
}

/** @param {View} view @param {number} seat @returns {string[]} */
export function legalMoves(view, seat) {
  return seatsToMove(view).includes(seat) ? view.legal : [];
}

/** @param {import("#matches/match-model.js").MatchModel} model @param {number} index */
function sentence(model, index) {
  const turn = model.turns[index];
  const played = turn?.moves[0];
  if (!played) return "";
  const sentences = [moveSentence(model.seats[played.seat], played)];
  if (turn.view.passed) sentences.push(interpolate(gettext("%s has no legal move and passes."), [sideName(turn.view.passed)]));
  const { X, O } = turn.view.counts;
  sentences.push(interpolate(gettext("Black %s, white %s."), [X, O]));
  return paragraph(sentences);
}

/** @param {Seat} seat @param {Played} played */
function moveSentence(seat, played) {
  if (played.fault) return interpolate(gettext("%(name)s: %(why)s."), { name: seat.name, why: moveFaultLabel(seat, played) }, true);
  if (played.move === "Q") return interpolate(gettext("%s resigns."), [seat.name]);
  return interpolate(gettext("%s plays %s."), [sideName(COLORS[played.seat]), played.move]);
}

/** @param {import("#matches/match-model.js").MatchModel} model */
function result(model) {
  const counts = model.turns.at(-1)?.view.counts ?? { X: 0, O: 0 };
  return pairResult(model, COLORS.map((color) => counts[color]));
}

/** The players, counts and moves beside the board. */
class SidePanel {
  /**
   * @param {HTMLElement} root
   * @param {import("#matches/match-model.js").MatchModel} model
   */
  constructor(root, model) {
    this.model = model;
    this.index = model.last;
    this.listed = 0;
    this.players = [.../** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll("[data-seat]"))];
    part(root, "save-image")?.addEventListener("click", () => this.#saveImage());
    this.counts = part(root, "counts");
    this.moves = part(root, "moves");
    this.restart();
  }

  restart() {
    this.moves?.replaceChildren();
    this.listed = 0;
  }

  /** @param {number} index */
  show(index) {
    const view = this.model.turns[index]?.view;
    this.index = index;
    this.#listMoves();
    if (!view) return;
    this.players.forEach((player, seat) => this.#drawPlayer(player, seat, index, view));
    const [dark, empty, light] = /** @type {Iterable<HTMLElement>} */ (this.counts?.children ?? []);
    dark?.style.setProperty("--discs", String(view.counts.X));
    empty?.style.setProperty("--discs", String(64 - view.counts.X - view.counts.O));
    light?.style.setProperty("--discs", String(view.counts.O));
    this.#markMove(index);
  }

  #saveImage() {
    const view = this.model.turns[this.index]?.view;
    if (view) saveImage(view, `reversi-${this.model.match.id}-${this.index}.png`);
  }

  /** @param {HTMLElement} player @param {number} seat @param {number} index @param {View} view */
  #drawPlayer(player, seat, index, view) {
    const color = COLORS[seat];
    const { outcome } = this.model;
    const isEnd = index === this.model.last;
    setText(part(player, "count"), String(view.counts[color]));
    player.classList.toggle("is-to-move", view.to_move === color && !(outcome && isEnd));
    player.classList.toggle("is-winner", isEnd && outcome?.winner === seat);
    part(player, "facts")?.replaceChildren(...this.#facts(seat, index, view, isEnd));
  }

  /** @param {number} seat @param {number} index @param {View} view @param {boolean} isEnd */
  #facts(seat, index, view, isEnd) {
    const own = this.model.turns.slice(0, index + 1).flatMap((turn) => turn.moves.filter((played) => played.seat === seat));
    const facts = [];
    if (own.length > 0) {
      const total = own.reduce((sum, played) => sum + played.seconds, 0);
      facts.push(element("span", {}, interpolate(gettext("%s in total"), [duration(total)])));
      const slowest = Math.max(...own.map((played) => played.seconds));
      facts.push(element("span", {}, interpolate(gettext("slowest %s"), [duration(slowest)])));
    }
    const refused = own.at(-1)?.refused ?? 0;
    if (refused) facts.push(badge("warn", interpolate(ngettext("%s answer rejected", "%s answers rejected", refused), [refused])));
    if (view.passed === COLORS[seat]) facts.push(badge("warn", gettext("passes")));
    const fault = this.model.seats[seat].fault;
    if (fault && isEnd) facts.push(badge("bad", faultLabel(fault)));
    return facts;
  }

  #listMoves() {
    for (; this.listed < this.model.turns.length; this.listed += 1) {
      const turn = this.model.turns[this.listed];
      for (const played of turn.moves) this.moves?.append(moveItem(turn.number, played));
    }
  }

  /** @param {number} index */
  #markMove(index) {
    this.moves?.querySelector("[aria-current]")?.removeAttribute("aria-current");
    const link = this.moves?.querySelector(`a[data-at="${index}"]`);
    if (!this.moves || !link) return;
    link.setAttribute("aria-current", "step");
    keepInView(this.moves, link);
  }
}

/** @param {string} tone @param {string} text */
function badge(tone, text) {
  return element("span", { class: "badge", "data-tone": tone }, text);
}

/** Mark a move that followed rejected answers; its label says how many. @param {number} count */
function refusedMark(count) {
  const words = interpolate(ngettext("%s answer rejected", "%s answers rejected", count), [count]);
  return element("span", { class: "moves__fault", title: words, role: "img", "aria-label": words }, "!");
}

/** @param {string | null} move @returns {string} */
function moveName(move) {
  return move === "Q" ? gettext("resigns") : (move ?? "–");
}

/** @param {number} number of the turn @param {Played} played */
function moveItem(number, played) {
  const isWide = played.fault !== null || played.move === "Q";
  const shown = played.fault ? element("span", { class: "moves__fault" }, faultLabel(played.fault)) : moveName(played.move);
  const link = element(
    "a",
    { href: `?at=${number}`, "data-at": number },
    element("span", { class: "moves__number" }, String(number)),
    element("span", { class: "disc-mark", "data-side": COLORS[played.seat] }),
    shown,
    played.refused > 0 && !played.fault ? refusedMark(played.refused) : null,
    element("span", { class: "moves__time" }, duration(played.seconds)),
  );
  return element("li", { class: isWide ? "moves__wide" : null }, link);
}
