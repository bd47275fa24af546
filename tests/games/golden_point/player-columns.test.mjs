import assert from "node:assert/strict";
import { test } from "node:test";

import { PlayerColumns } from "../../../arena/games/golden_point/static/golden_point/player-columns.js";

test("a small table shows all players", () => {
  const columns = new PlayerColumns();
  columns.update(30);
  assert.deepEqual([columns.first, columns.last, columns.isWhole], [0, 30, true]);
});

test("in a large table, every player is on exactly one page", () => {
  const columns = new PlayerColumns();
  columns.update(65);
  const seen = [];
  for (let page = 0; page < 4; page += 1) {
    seen.push([columns.first, columns.last]);
    columns.turn(1);
  }
  assert.deepEqual(seen, [[0, 30], [30, 60], [60, 65], [60, 65]]);
  assert.ok(columns.isLast);
  columns.turn(-1);
  columns.turn(-1);
  columns.turn(-1);
  assert.ok(columns.isFirst);
});

test("a player who joins does not change the selected page", () => {
  const columns = new PlayerColumns();
  columns.update(40);
  columns.turn(1);
  columns.update(41);
  assert.deepEqual([columns.first, columns.last], [30, 41]);
  columns.update(5); // a different game
  assert.deepEqual([columns.first, columns.last], [0, 5]);
});
