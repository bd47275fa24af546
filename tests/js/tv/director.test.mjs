import assert from "node:assert/strict";
import { test } from "node:test";

const { Director, RESULT_SHOWN, TIMES, keyOf } = await import("#tv/director.js");

const match = (id, weight = 1) => ({ kind: "match", id, url: `/tv/matches/${id}/`, weight });
const table = (id, version = 1) => ({ kind: "standings", id, url: `/tv/standings/${id}/`, weight: 1, version });
const point = (id, tournament = 9) => ({ kind: "turning_point", id, url: `/tv/turning-points/${id}/`, weight: 1, tournament });

/** A director with a manual clock: `at` sets the time and returns the shown scene. */
function screen() {
  let now = 0;
  const director = new Director(() => now);
  return {
    at(milliseconds, programme) {
      now += milliseconds;
      return keyOf(director.next(programme));
    },
    extend: (milliseconds) => director.extend(milliseconds),
  };
}

test("nothing to show", () => {
  const tv = screen();
  assert.equal(tv.at(0, []), "");
  assert.equal(tv.at(1000, [match(1)]), "match 1");
});

test("the most important match comes first, and stays until another one has waited long enough", () => {
  const tv = screen();
  const programme = [match(1, 1), match(2, 3)];
  assert.equal(tv.at(0, programme), "match 2");
  assert.equal(tv.at(TIMES.match.least, [match(1, 9), match(2, 3)]), "match 2");
  assert.equal(tv.at(TIMES.match.most, programme), "match 1");
});

test("a single match stays until it ends", () => {
  const tv = screen();
  tv.at(0, [match(1)]);
  assert.equal(tv.at(10 * TIMES.match.most, [match(1)]), "match 1");
});

test("after a match ends, its result and then its turning point are shown", () => {
  const tv = screen();
  tv.at(0, [match(1), match(2)]);
  assert.equal(tv.at(20_000, [match(2), point(1)]), "match 1");
  assert.equal(tv.at(RESULT_SHOWN - 1, [match(2), point(1)]), "match 1");
  assert.equal(tv.at(1, [match(2), point(1)]), "turning_point 1");
  assert.equal(tv.at(TIMES.turning_point.least, [match(2), point(1)]), "match 2");
});

test("a turning point is shown only once while there are other scenes", () => {
  const tv = screen();
  const programme = [point(1), table(3)];
  const seen = [1, 2, 3, 4].map(() => tv.at(20_000, programme));
  assert.deepEqual(seen, ["turning_point 1", "standings 3", "standings 3", "standings 3"]);
});

test("the podium of a tournament that has just ended comes first, once", () => {
  const tv = screen();
  const podium = { ...table(9), kind: "podium", weight: 1.75, news: true };
  const ended = [point(1), { ...table(9), weight: 1.5 }, podium];
  tv.at(0, [match(1), table(9)]);
  assert.equal(tv.at(20_000, ended), "match 1");
  assert.equal(tv.at(RESULT_SHOWN, ended), "podium 9");
  assert.equal(tv.at(TIMES.podium.least - 1, ended), "podium 9");
  assert.equal(tv.at(1, ended), "standings 9");
  assert.equal(tv.at(TIMES.standings.least, ended), "turning_point 1");
  assert.equal(tv.at(TIMES.turning_point.least, [match(2), podium]), "match 2");
});

test("a table comes after two matches", () => {
  const tv = screen();
  const programme = [match(1, 3), match(2, 3), match(3, 3), table(9)];
  const seen = [0, 1, 2, 3].map((step) => tv.at(step ? TIMES.match.most : 0, programme));
  assert.deepEqual(seen, ["match 1", "match 2", "standings 9", "match 3"]);
});

test("recently shown scenes wait, and return later", () => {
  const tv = screen();
  const programme = [match(1, 2), match(2, 1.5)];
  assert.equal(tv.at(0, programme), "match 1");
  assert.equal(tv.at(TIMES.match.most, programme), "match 2");
  assert.equal(tv.at(TIMES.match.most, programme), "match 1");
});

test("a scene other than a match leaves immediately when it is withdrawn from the programme", () => {
  const tv = screen();
  assert.equal(tv.at(0, [table(1)]), "standings 1");
  assert.equal(tv.at(1, []), "");
});

test("of two tables, the one that has changed is shown", () => {
  const tv = screen();
  assert.equal(tv.at(0, [table(1), table(2)]), "standings 1");
  assert.equal(tv.at(TIMES.standings.least, [table(1), table(2)]), "standings 2");
  assert.equal(tv.at(10 * 60_000, [table(1, 5), table(2)]), "standings 1");
});

test("tables that are more important than any match are shown between matches, not instead of them", () => {
  const tv = screen();
  const programme = [match(1, 0.5), table(3), table(4), table(5)];
  const seen = [0, 1, 2, 3, 4].map((step) => tv.at(step ? TIMES.match.most : 0, programme).split(" ")[0]);
  assert.deepEqual(seen, ["match", "standings", "match", "standings", "match"]);
});

test("a turning point stays until it has been read, although newer ones have replaced it", () => {
  const tv = screen();
  assert.equal(tv.at(0, [point(1), table(9)]), "turning_point 1");
  assert.equal(tv.at(TIMES.turning_point.least - 1, [point(2), table(9)]), "turning_point 1");
  assert.equal(tv.at(1, [point(2), table(9)]), "turning_point 2");
});

test("a turning point leaves immediately when its tournament's results are withheld", () => {
  const tv = screen();
  assert.equal(tv.at(0, [point(1, 9), table(9)]), "turning_point 1");
  assert.equal(tv.at(1, [table(8)]), "standings 8");
});

test("after two matches, the bracket can take the place of the table", () => {
  const tv = screen();
  const bracket = { kind: "bracket", id: 9, url: "/tv/brackets/9/", weight: 1.1, version: 1 };
  const programme = [match(1, 3), match(2, 3), match(3, 3), table(9), bracket];
  const seen = [0, 1, 2].map((step) => tv.at(step && TIMES.match.most, programme));
  assert.equal(seen.at(-1), "bracket 9");
  assert.match(tv.at(TIMES.bracket.least, programme), /^match/);
});

test("the parts of a bracket are shown in turn", () => {
  const tv = screen();
  const part = (number) => ({ kind: "bracket", id: 5, part: number, url: "/tv/brackets/5/", weight: 1, version: 1 });
  const programme = [part(1), part(2), part(3)];
  const seen = [0, 1, 2, 3].map((step) => tv.at(step ? TIMES.bracket.most : 0, programme));
  assert.deepEqual(seen, ["bracket 5 1", "bracket 5 2", "bracket 5 3", "bracket 5 1"]);
});

test("a table with several pages stays until all have been shown", () => {
  const tv = screen();
  const programme = [table(1), table(2)];
  assert.equal(tv.at(0, programme), "standings 1");
  tv.extend(2 * TIMES.standings.least);
  assert.equal(tv.at(2 * TIMES.standings.least - 1, programme), "standings 1");
  assert.equal(tv.at(1, programme), "standings 2");
  assert.equal(tv.at(TIMES.standings.least, programme), "standings 1"); // only the extended scene stays longer
});

const of = (id, game, tournament, more = {}) => ({ ...match(id, more.weight ?? 1), game, tournament, ...more });

test("games and tournaments take turns, however important a match is", () => {
  const tv = screen();
  const programme = [of(1, "reversi", 5, { weight: 9 }), of(2, "reversi", 6, { weight: 8 }), of(3, "golden_point", 7)];
  const seen = [0, 1, 2, 3].map((step) => tv.at(step && TIMES.match.most, programme));
  assert.deepEqual(seen, ["match 1", "match 3", "match 2", "match 3"]);
});

test("a new match does not overtake the tournaments that wait", () => {
  const tv = screen();
  tv.at(0, [of(1, "reversi", 5, { weight: 9 }), of(3, "reversi", 6)]);
  const programme = [of(2, "reversi", 5, { weight: 9 }), of(3, "reversi", 6)];
  assert.equal(tv.at(TIMES.match.least, programme), "match 1");
  assert.equal(tv.at(RESULT_SHOWN, programme), "match 3");
});

test("between scenes of tables, the game still changes", () => {
  const tv = screen();
  const programme = [of(1, "reversi", 5, { weight: 3 }), of(2, "golden_point", 7, { weight: 3 }), table(9)];
  const seen = [0, 1, 2, 3].map((step) => tv.at(step && TIMES.match.most, programme));
  assert.deepEqual(seen, ["match 1", "match 2", "standings 9", "match 1"]);
});

test("a decided match gives way as soon as it can have been read", () => {
  const tv = screen();
  const other = of(2, "reversi", 5);
  assert.equal(tv.at(0, [of(1, "reversi", 5, { weight: 3 }), other]), "match 1");
  assert.equal(tv.at(TIMES.match.least - 1, [of(1, "reversi", 5, { decided: true }), other]), "match 1");
  assert.equal(tv.at(1, [of(1, "reversi", 5, { decided: true }), other]), "match 2");
});

test("a decided match is not chosen while another match is open", () => {
  const tv = screen();
  assert.equal(tv.at(0, [of(1, "golden_point", 7, { weight: 5, decided: true }), of(2, "reversi", 5)]), "match 2");
});

test("a decided match does not give way to a table before its result", () => {
  const tv = screen();
  const programme = [of(1, "reversi", 5, { decided: true }), table(9)];
  assert.equal(tv.at(0, programme), "match 1");
  assert.equal(tv.at(TIMES.match.most - 1, programme), "match 1");
  assert.equal(tv.at(1, programme), "standings 9");
});

test("a decided match stays if there is nothing else to show", () => {
  const tv = screen();
  assert.equal(tv.at(0, [of(1, "reversi", 5, { decided: true })]), "match 1");
  assert.equal(tv.at(10 * TIMES.match.most, [of(1, "reversi", 5, { decided: true })]), "match 1");
});
