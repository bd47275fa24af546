/**
 * The result of a match in one sentence, in the second person if the reader or their bot played it.
 * arena/matches/templatetags/results.py produces the same sentence when the server renders the page.
 */
import { faultLabel } from "../live/labels.js";
import { nameList, ordinal, pointsText } from "../site/format.js";

/** @typedef {import("./match-model.js").MatchModel} MatchModel */
/** @typedef {import("./match-model.js").Outcome} Outcome */
/** @typedef {import("./match-model.js").Seat[]} Seats */

/**
 * @param {MatchModel} model a two-seat match with an outcome
 * @param {(number | string)[]} scores by seat, as displayed: the count on the board, or points
 * @returns {string}
 */
export function pairResult(model, scores) {
  const { outcome, reader } = model;
  if (!outcome) return "";
  if (outcome.termination === "time_limit") return noWinner();
  return reader ? forReader(outcome, model.seats, reader, scores) : forEverybody(outcome, model.seats, scores);
}

/** @param {MatchModel} model a match with any number of seats @returns {string} */
export function tableResult(model) {
  const { outcome, reader, seats } = model;
  if (!outcome) return "";
  if (outcome.termination === "time_limit") return noWinner();
  return withFaults(reader ? tableForReader(outcome, seats, reader) : tableForEverybody(outcome, seats), model);
}

/**
 * @param {string} sentence the result of a match with one seat or more than two
 * @param {MatchModel} model
 * @returns {string} the sentence, followed by the reason for each forfeit; a reader learns only the reason for their own
 */
export function withFaults(sentence, { reader, seats }) {
  const faulty = (reader ? [seats[reader.seat]] : seats).filter(({ fault }) => fault && !(reader?.is === "person" && fault === "resigned"));
  if (sentence === "" || faulty.length === 0) return sentence;
  const reasons = faulty.map((seat) => (reader || seats.length === 1 ? why(seat) : interpolate(gettext("%(name)s: %(why)s"), { name: seat.name, why: why(seat) }, true)));
  return interpolate(gettext("%(result)s. %(why)s"), { result: sentence, why: nameList(reasons) }, true);
}

/** @param {Outcome} outcome @param {Seats} seats */
function tableForEverybody(outcome, seats) {
  const best = seats.filter((seat) => outcome.ranks[seat.index] === 1);
  if (best.length === 0) return "";
  const score = pointsText(outcome.points[best[0].index]);
  if (seats.length === 1) return interpolate(gettext("%(name)s scored %(points)s"), { name: best[0].name, points: score }, true);
  if (best.length === 1) return interpolate(gettext("%(name)s wins with %(points)s"), { name: best[0].name, points: score }, true);
  const names = nameList(best.map((seat) => seat.name));
  return interpolate(gettext("Shared first place with %(points)s: %(names)s"), { names, points: score }, true);
}

function noWinner() {
  return gettext("No winner: the match reached its time limit");
}

/** @param {Outcome} outcome @param {Seats} seats @param {(number | string)[]} scores */
function forEverybody(outcome, seats, scores) {
  if (outcome.winner === null) return interpolate(gettext("A draw, %s to %s"), scores);
  const [winner, loser] = [seats[outcome.winner], seats[1 - outcome.winner]];
  const values = { winner: winner.name, loser: loser.name, why: why(loser), mine: scores[winner.index], theirs: scores[loser.index] };
  /** @type {Record<string, string>} */
  const texts = {
    forfeit: gettext("%(winner)s wins by forfeit. %(loser)s: %(why)s"),
    resignation: gettext("%(winner)s wins: %(loser)s resigned"),
  };
  return interpolate(texts[outcome.termination] ?? gettext("%(winner)s wins %(mine)s to %(theirs)s"), values, true);
}

/**
 * @param {Outcome} outcome
 * @param {Seats} seats
 * @param {import("./match-model.js").Reader} reader
 * @param {(number | string)[]} scores
 */
function forReader(outcome, seats, reader, scores) {
  const [own, other] = [seats[reader.seat], seats[1 - reader.seat]];
  const values = { mine: scores[own.index], theirs: scores[other.index], loser: other.name };
  const { drew, ...texts } = reader.is === "bot" ? botTexts() : personTexts();
  if (outcome.winner === null) return interpolate(drew, values, true);
  const hasWon = outcome.winner === reader.seat;
  const ended = /** @type {Record<string, typeof texts.completed>} */ (texts)[outcome.termination] ?? texts.completed;
  return interpolate(hasWon ? ended.won : ended.lost, { ...values, why: why(hasWon ? other : own) }, true);
}

function personTexts() {
  return {
    drew: gettext("You drew %(mine)s to %(theirs)s"),
    completed: { won: gettext("You won %(mine)s to %(theirs)s"), lost: gettext("You lost %(mine)s to %(theirs)s") },
    forfeit: { won: gettext("You won by forfeit. %(loser)s: %(why)s"), lost: gettext("You lost by forfeit: %(why)s") },
    resignation: { won: gettext("You won: %(loser)s resigned"), lost: gettext("You lost: you resigned") },
  };
}

function botTexts() {
  return {
    drew: gettext("Your bot drew %(mine)s to %(theirs)s"),
    completed: { won: gettext("Your bot won %(mine)s to %(theirs)s"), lost: gettext("Your bot lost %(mine)s to %(theirs)s") },
    forfeit: { won: gettext("Your bot won by forfeit. %(loser)s: %(why)s"), lost: gettext("Your bot lost by forfeit: %(why)s") },
    resignation: { won: gettext("Your bot won: %(loser)s resigned"), lost: gettext("Your bot lost: it resigned") },
  };
}

/** @param {Outcome} outcome @param {Seats} seats @param {import("./match-model.js").Reader} reader */
function tableForReader({ ranks, points: scores }, seats, { seat, is }) {
  const rank = ranks[seat];
  const values = { points: pointsText(scores[seat]), rank: ordinal(rank), seats: ranks.length };
  const texts = is === "bot" ? botsTableTexts() : personsTableTexts();
  if (is === "person" && seats[seat].fault === "resigned") return interpolate(gettext("You resigned with %(points)s"), values, true);
  if (ranks.length === 1) return interpolate(texts.alone, values, true);
  if (ranks.filter((one) => one === rank).length > 1) return interpolate(texts.shared, values, true);
  return interpolate(rank === 1 ? texts.won : texts.placed, values, true);
}

function personsTableTexts() {
  return {
    alone: gettext("You scored %(points)s"),
    shared: gettext("You tied for %(rank)s of %(seats)s with %(points)s"),
    won: gettext("You won with %(points)s, first of %(seats)s"),
    placed: gettext("You finished %(rank)s of %(seats)s with %(points)s"),
  };
}

function botsTableTexts() {
  return {
    alone: gettext("Your bot scored %(points)s"),
    shared: gettext("Your bot tied for %(rank)s of %(seats)s with %(points)s"),
    won: gettext("Your bot won with %(points)s, first of %(seats)s"),
    placed: gettext("Your bot finished %(rank)s of %(seats)s with %(points)s"),
  };
}

/** @param {import("./match-model.js").Seat} seat the loser's @returns {string} */
function why(seat) {
  return seat.fault ? faultLabel(seat.fault) : gettext("Forfeit");
}
