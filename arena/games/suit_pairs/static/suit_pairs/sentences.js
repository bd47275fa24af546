/** Decisions described in sentences. */
import { moveFaultLabel } from "#live/labels.js";
import { paragraph } from "#site/format.js";
import { cardLabel } from "./cards.js";

/** @typedef {import("#matches/match-model.js").MatchModel} MatchModel */
/** @typedef {{deal: number, seat: number, stage: string, action: number | null, first: number | null, passes: boolean, forced: boolean}} Decision */

const STAGES = ["init", "swap", "capture", "discard_1", "discard_2", "pair"];
const CARDS = 52;

/** @param {string} stage @returns {string} the label of its button */
export function stageLabel(stage) {
  /** @type {Record<string, string>} */
  const labels = {
    swap: pgettext("card game", "Swap"),
    capture: pgettext("card game", "Capture"),
    discard_1: pgettext("card game", "Discard"),
    discard_2: pgettext("card game", "Discard"),
    pair: pgettext("card game", "Pair"),
  };
  return labels[stage] ?? stage;
}

/** @param {Decision} decision @returns {boolean} whether it moved any cards */
export function movesCards(decision) {
  return decision.stage !== "init" && decision.action !== null && !(isFirst(decision));
}

/** Return whether this is the first card of two, which moves nothing yet. @param {Decision} decision */
function isFirst({ stage, first, passes }) {
  return (stage === "capture" || stage === "pair") && first === null && !passes;
}

/**
 * @param {Decision} decision
 * @param {string | null} name of its player, null: the reader
 * @returns {string} "" for a stage forced by the rules
 */
export function decisionSentence(decision, name) {
  return name === null ? ownSentence(decision) : sentenceOf(decision, name);
}

/** @param {Decision} decision @returns {string} */
function ownSentence(decision) {
  const { stage, action, first, forced } = decision;
  if (stage === "init") return forced || action === null ? "" : fill(gettext("You choose: %(stage)s."), { stage: stageLabel(STAGES[action - CARDS]) });
  if (action === null || isFirst(decision)) return gettext("You choose a first card.");
  const values = { card: cardLabel(action), first: first === null ? "" : cardLabel(first) };
  if (decision.passes) return fill(gettext("With no pair to take, you discard %(card)s and end your turn."), values);
  if (stage === "pair") return fill(gettext("You pair %(first)s with %(card)s."), values);
  if (stage === "capture") return fill(gettext("You capture %(first)s and %(card)s."), values);
  if (stage === "swap") return fill(gettext("You swap %(card)s for a card from the deck."), values);
  return fill(gettext("You discard %(card)s."), values);
}

/** @param {Decision} decision @param {string} name @returns {string} */
function sentenceOf(decision, name) {
  const { stage, action, first, forced } = decision;
  if (stage === "init") return forced || action === null ? "" : fill(gettext("%(name)s chooses: %(stage)s."), { name, stage: stageLabel(STAGES[action - CARDS]) });
  if (action === null || isFirst(decision)) return fill(gettext("%(name)s chooses a first card."), { name });
  const values = { name, card: cardLabel(action), first: first === null ? "" : cardLabel(first) };
  if (decision.passes) return fill(gettext("With no pair to take, %(name)s discards %(card)s and ends the turn."), values);
  if (stage === "pair") return fill(gettext("%(name)s pairs %(first)s with %(card)s."), values);
  if (stage === "capture") return fill(gettext("%(name)s captures %(first)s and %(card)s."), values);
  if (stage === "swap") return fill(gettext("%(name)s swaps %(card)s for a card from the deck."), values);
  return fill(gettext("%(name)s discards %(card)s."), values);
}

/** @param {MatchModel} model @param {number} index @returns {string} */
export function turnSentence(model, index) {
  const turn = model.turns[index];
  if (!turn) return "";
  const faults = turn.moves
    .filter(({ fault }) => fault)
    .map((played) => fill(gettext("%(name)s: %(why)s."), { name: model.seats[played.seat].name, why: moveFaultLabel(model.seats[played.seat], played) }));
  return paragraph([...decisionSentences(model, index, () => true), ...faults]);
}

/**
 * @param {MatchModel} model
 * @param {number} index
 * @param {(decision: Decision) => boolean} wanted
 * @returns {string[]}
 */
export function decisionSentences(model, index, wanted) {
  /** @type {Decision[]} */
  const decisions = model.turns[index]?.view.decisions ?? [];
  const own = model.reader?.is === "person" ? model.reader.seat : null;
  return decisions.filter(wanted).map((one) => decisionSentence(one, one.seat === own ? null : model.seats[one.seat].name)).filter(Boolean);
}

/**
 * @param {MatchModel} model
 * @param {number} index
 * @param {number} count
 * @returns {string[]} the last `count` actions
 */
export function latestActions(model, index, count) {
  /** @type {string[]} */
  const found = [];
  for (let at = index; at > 0 && found.length < count; at -= 1) found.unshift(...decisionSentences(model, at, movesCards));
  return found.slice(-count);
}

/** @param {string} text @param {Record<string, string>} values */
function fill(text, values) {
  return interpolate(text, values, true);
}
