/**
 * The result of a match in one sentence, in the second person if the reader or their bot played it.
 * arena/matches/results.py and arena/matches/templatetags/results.py do the same when the server renders the page.
 */
import { faultLabel } from "../live/labels.js";
import { nameList, ordinal, pointsText } from "../site/format.js";

/** @typedef {import("./match-model.js").MatchModel} MatchModel */
/** @typedef {import("./match-model.js").Outcome} Outcome */
/** @typedef {import("./match-model.js").Seat[]} Seats */
/**
 * A result before it is put into words. `code`: who is addressed and what happened; its sentence contains `values`.
 * @typedef {{code: string, values: Record<string, any>}} Result
 */

/** @returns {Record<string, string>} the sentences by the code of the result */
function textsByCode() {
  return {
    time_limit: gettext("No winner: the match reached its time limit"),
    draw: gettext("A draw, %(mine)s to %(theirs)s"),
    wins: gettext("%(winner)s wins %(mine)s to %(theirs)s"),
    wins_by_forfeit: gettext("%(winner)s wins by forfeit. %(loser)s: %(why)s"),
    wins_by_resignation: gettext("%(winner)s wins: %(loser)s resigned"),
    wins_with: gettext("%(name)s wins with %(points)s"),
    shared: gettext("Shared first place with %(points)s: %(names)s"),
    scored: gettext("%(name)s scored %(points)s"),
    "you.drew": gettext("You drew %(mine)s to %(theirs)s"),
    "you.won": gettext("You won %(mine)s to %(theirs)s"),
    "you.lost": gettext("You lost %(mine)s to %(theirs)s"),
    "you.won_by_forfeit": gettext("You won by forfeit. %(loser)s: %(why)s"),
    "you.lost_by_forfeit": gettext("You lost by forfeit: %(why)s"),
    "you.won_by_resignation": gettext("You won: %(loser)s resigned"),
    "you.lost_by_resignation": gettext("You lost: you resigned"),
    "you.scored": gettext("You scored %(points)s"),
    "you.tied": gettext("You tied for %(rank)s of %(seats)s with %(points)s"),
    "you.won_with": gettext("You won with %(points)s, first of %(seats)s"),
    "you.finished": gettext("You finished %(rank)s of %(seats)s with %(points)s"),
    "you.resigned": gettext("You resigned with %(points)s"),
    "your_bot.drew": gettext("Your bot drew %(mine)s to %(theirs)s"),
    "your_bot.won": gettext("Your bot won %(mine)s to %(theirs)s"),
    "your_bot.lost": gettext("Your bot lost %(mine)s to %(theirs)s"),
    "your_bot.won_by_forfeit": gettext("Your bot won by forfeit. %(loser)s: %(why)s"),
    "your_bot.lost_by_forfeit": gettext("Your bot lost by forfeit: %(why)s"),
    "your_bot.won_by_resignation": gettext("Your bot won: %(loser)s resigned"),
    "your_bot.lost_by_resignation": gettext("Your bot lost: it resigned"),
    "your_bot.scored": gettext("Your bot scored %(points)s"),
    "your_bot.tied": gettext("Your bot tied for %(rank)s of %(seats)s with %(points)s"),
    "your_bot.won_with": gettext("Your bot won with %(points)s, first of %(seats)s"),
    "your_bot.finished": gettext("Your bot finished %(rank)s of %(seats)s with %(points)s"),
  };
}

/** The functions that put values into words; others are used as they are. @type {Record<string, (value: any) => string>} */
const WORDS = { names: nameList, why: faultText, points: pointsText, rank: ordinal };

/**
 * @param {MatchModel} model a two-seat match with an outcome
 * @param {(number | string)[]} scores by seat, as displayed: the count on the board, or points
 * @returns {string}
 */
export function pairResult(model, scores) {
  return sentence(pairOutcome(model, scores));
}

/** @param {MatchModel} model a match with any number of seats @returns {string} */
export function tableResult(model) {
  const found = tableOutcome(model);
  return found?.code === "time_limit" ? sentence(found) : withFaults(sentence(found), model);
}

/**
 * @param {MatchModel} model a two-seat match
 * @param {(number | string)[]} scores by seat, as displayed
 * @returns {Result | null} null before the end
 */
export function pairOutcome(model, scores) {
  const { outcome, reader, seats } = model;
  if (!outcome) return null;
  if (outcome.termination === "time_limit") return { code: "time_limit", values: {} };
  return reader ? forReader(outcome, seats, reader, scores) : forEverybody(outcome, seats, scores);
}

/** @param {MatchModel} model @returns {Result | null} null before the end, or if nobody is first */
export function tableOutcome(model) {
  const { outcome, reader, seats } = model;
  if (!outcome) return null;
  if (outcome.termination === "time_limit") return { code: "time_limit", values: {} };
  return reader ? tableForReader(outcome, seats, reader) : tableForEverybody(outcome, seats);
}

/**
 * @param {string} result the result of a match with one seat or more than two
 * @param {MatchModel} model
 * @returns {string} the result, followed by the reason for each forfeit
 */
export function withFaults(result, model) {
  const { reader, seats } = model;
  const faulty = faultySeats(model);
  if (result === "" || faulty.length === 0) return result;
  const reasons = faulty.map(({ name, fault }) => {
    const why = faultText(fault);
    return reader || seats.length === 1 ? why : interpolate(gettext("%(name)s: %(why)s"), { name, why }, true);
  });
  return interpolate(gettext("%(result)s. %(why)s"), { result, why: nameList(reasons) }, true);
}

/** @param {MatchModel} model @returns {Seats} the seats whose forfeits the result explains; readers learn only the reason for their own */
export function faultySeats({ reader, seats }) {
  return (reader ? [seats[reader.seat]] : seats).filter(({ fault }) => fault && !(reader?.is === "person" && fault === "resigned"));
}

/** @param {Result | null} result @returns {string} */
function sentence(result) {
  if (!result) return "";
  const values = Object.entries(result.values).map(([name, value]) => [name, name in WORDS ? WORDS[name](value) : value]);
  return interpolate(textsByCode()[result.code], Object.fromEntries(values), true);
}

/** @param {Outcome} outcome @param {Seats} seats @returns {Result | null} */
function tableForEverybody(outcome, seats) {
  const best = seats.filter((seat) => outcome.ranks[seat.index] === 1);
  if (best.length === 0) return null;
  const points = outcome.points[best[0].index];
  if (best.length > 1) return { code: "shared", values: { names: best.map((seat) => seat.name), points } };
  return { code: seats.length === 1 ? "scored" : "wins_with", values: { name: best[0].name, points } };
}

/** @param {Outcome} outcome @param {Seats} seats @param {(number | string)[]} scores @returns {Result} */
function forEverybody(outcome, seats, scores) {
  if (outcome.winner === null) return { code: "draw", values: { mine: scores[0], theirs: scores[1] } };
  const [winner, loser] = [seats[outcome.winner], seats[1 - outcome.winner]];
  const names = { winner: winner.name, loser: loser.name };
  if (outcome.termination === "forfeit") return { code: "wins_by_forfeit", values: { ...names, why: loser.fault } };
  if (outcome.termination === "resignation") return { code: "wins_by_resignation", values: names };
  return { code: "wins", values: { winner: winner.name, mine: scores[winner.index], theirs: scores[loser.index] } };
}

/**
 * @param {Outcome} outcome
 * @param {Seats} seats
 * @param {import("./match-model.js").Reader} reader
 * @param {(number | string)[]} scores
 * @returns {Result}
 */
function forReader(outcome, seats, reader, scores) {
  const [own, other] = [seats[reader.seat], seats[1 - reader.seat]];
  const figures = { mine: scores[own.index], theirs: scores[other.index] };
  if (outcome.winner === null) return { code: `${addressed(reader)}.drew`, values: figures };
  const hasWon = outcome.winner === reader.seat;
  const code = `${addressed(reader)}.${hasWon ? "won" : "lost"}`;
  const named = hasWon ? { loser: other.name } : {};
  if (outcome.termination === "forfeit") return { code: `${code}_by_forfeit`, values: { ...named, why: (hasWon ? other : own).fault } };
  if (outcome.termination === "resignation") return { code: `${code}_by_resignation`, values: named };
  return { code, values: figures };
}

/** @param {Outcome} outcome @param {Seats} seats @param {import("./match-model.js").Reader} reader @returns {Result} */
function tableForReader({ ranks, points: scores }, seats, reader) {
  const [rank, points, who] = [ranks[reader.seat], scores[reader.seat], addressed(reader)];
  if (who === "you" && seats[reader.seat].fault === "resigned") return { code: "you.resigned", values: { points } };
  if (ranks.length === 1) return { code: `${who}.scored`, values: { points } };
  const isShared = ranks.filter((one) => one === rank).length > 1;
  if (rank === 1 && !isShared) return { code: `${who}.won_with`, values: { points, seats: ranks.length } };
  return { code: `${who}.${isShared ? "tied" : "finished"}`, values: { points, rank, seats: ranks.length } };
}

/** @param {import("./match-model.js").Reader} reader @returns {string} */
function addressed(reader) {
  return reader.is === "bot" ? "your_bot" : "you";
}

/** @param {string | null | undefined} fault @returns {string} */
function faultText(fault) {
  return fault ? faultLabel(fault) : gettext("Forfeit");
}
