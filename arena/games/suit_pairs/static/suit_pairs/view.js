/** The Suit Pairs match view: the card table, with points, deals and actions beside it. */
import { REFRESHED } from "#live/refresh.js";
import { part, prefersReducedMotion } from "#site/dom.js";
import { pairResult } from "#matches/results.js";
import { caption } from "./captions.js";
import { cardLabel, cardOf } from "./cards.js";
import { Hand } from "./hand.js";
import { Pacing } from "./pacing.js";
import { decisionSentences, movesCards, stageLabel, turnSentence } from "./sentences.js";
import { showPolicy } from "./policy.js";
import { SidePanel } from "./side-panel.js";
import { CardTable } from "./table.js";
import { totals } from "./totals.js";

/** @typedef {import("#matches/match-model.js").MatchModel} MatchModel */

/** Milliseconds per decision in a replay at normal speed. */
export const TURN_MS = 700;

/** @param {number} turn @param {number} turns @returns {string} */
export function turnText(turn, turns) {
  return interpolate(gettext("Decision %(turn)s of %(turns)s"), { turn, turns }, true);
}

const OPPONENT_MS = 800; // between two actions of an opponent
const REPLAYED_MS = 1600; // between the actions of a replayed turn
const CATCH_UP_TURNS = 40; // this many new turns at once mean that the page was asleep: they are not replayed

/**
 * @param {import("#matches/game-view.js").Parts} parts
 * @param {MatchModel} model
 * @returns {import("#matches/game-view.js").GameView}
 */
export function mount({ display, side }, model) {
  const table = new CardTable(display, model);
  let choose = (/** @type {number} */ _index) => {};
  const beside = side ? new SidePanel(side, model, (index) => choose(index)) : null;
  const seat = model.reader?.is === "person" ? model.reader.seat : null;
  const hand = seat === null || !model.isOpen ? null : new Hand(display, table, seat);
  if (side && !hand) table.explain(); // cards of a small view are too small to be tap targets
  let newest = -1;
  document.addEventListener(REFRESHED, () => drawPolicy(pacing.shown)); // the panel appears after the end
  const tempo = { animated: false, wait: OPPONENT_MS };
  const drawPolicy = (/** @type {number} */ index) => {
    if (model.outcome && index >= 0) showPolicy(display, index, (one) => model.seats[one].name);
  };
  const pacing = new Pacing(
    (index) => {
      table.show(index, tempo.animated);
      beside?.show(index);
      drawPolicy(index);
    },
    (index) => (isOf(model, index, 1 - (seat ?? 0)) ? tempo.wait : 0),
  );
  return {
    show(index, animate) {
      const follows = newest === pacing.last && index === model.last && index > newest && index - newest < CATCH_UP_TURNS;
      const isLive = hand !== null && newest >= 0 && follows;
      newest = index;
      tempo.animated = !prefersReducedMotion() && (animate || isLive);
      if (isLive) pacing.play(index);
      else if (!(index === pacing.last && !pacing.isIdle)) pacing.jump(index);
    },
    restart() {
      newest = -1;
      beside?.restart();
    },
    sentence: (index) => turnSentence(model, index),
    caption: (index) => caption(model, index),
    scores: (index) => totals(model.turns[index]?.view).map(String),
    lead: { at: (index) => leadAt(model, index), unit: (size) => ngettext("point", "points", size), full: 20 },
    result: () => pairResult(model, totals(model.turns.at(-1)?.view)),
    onChoose(chosen) {
      choose = chosen;
    },
    moveInput: hand === null ? undefined : moveInput(hand, table, pacing, model, part(display, "replay-last"), tempo),
  };
}

/** @param {MatchModel} model @param {number} index @returns {number | null} */
function leadAt(model, index) {
  const view = model.turns[index]?.view;
  if (!view) return null;
  const [first, second] = totals(view);
  return first - second;
}

/**
 * @param {Hand} hand
 * @param {CardTable} table
 * @param {Pacing} pacing
 * @param {MatchModel} model
 * @param {HTMLElement | null} again the button that replays the opponent's last turn
 * @param {{animated: boolean, wait: number}} tempo
 * @returns {import("#matches/game-view.js").MoveInput}
 */
function moveInput(hand, table, pacing, model, again, tempo) {
  let open = () => {};
  const offerAgain = (/** @type {boolean} */ isOffered) => {
    if (again) again.hidden = !isOffered;
  };
  again?.addEventListener("click", () => {
    hand.close();
    offerAgain(false);
    Object.assign(tempo, { animated: !prefersReducedMotion(), wait: REPLAYED_MS });
    pacing.replay(beforeLastTurn(model, 1 - hand.seat));
    pacing.whenIdle(open);
  });
  return {
    offer(moves, play) {
      pacing.whenIdle(null);
      offerAgain(false);
      if (moves.length === 0) {
        hand.close();
        return;
      }
      if (hand.playNext(moves, play)) return;
      open = () => {
        tempo.wait = OPPONENT_MS;
        hand.open(model.turns[model.last].view, play);
        offerAgain(beforeLastTurn(model, 1 - hand.seat) < model.last);
      };
      pacing.whenIdle(open);
    },
    hint: (move) => table.hint(move),
  };
}

/**
 * @param {MatchModel} model
 * @param {number} seat
 * @returns {number} the index before the seat's last run of decisions
 */
export function beforeLastTurn(model, seat) {
  let index = model.last;
  while (index > 0 && decisionSentences(model, index, (one) => one.seat === seat).length > 0) index -= 1;
  return index;
}

/**
 * @param {MatchModel} model
 * @param {number} index
 * @param {number} seat
 * @returns {boolean} whether this seat did something visible
 */
function isOf(model, index, seat) {
  return decisionSentences(model, index, (one) => one.seat === seat && movesCards(one)).length > 0;
}

/** @param {any} view @returns {number[]} */
export function seatsToMove(view) {
  return view.to_move === null ? [] : [view.to_move];
}

/** @param {any} view @param {number} seat @returns {string[]} */
export function legalMoves(view, seat) {
  return view.to_move === seat ? (view.legal ?? []) : [];
}

/** @param {string} move @returns {string} */
export function moveLabel(move) {
  const card = cardOf(move);
  return card < 0 ? stageLabel(move) : cardLabel(card);
}
