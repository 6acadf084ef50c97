/** Mistakes of one's own that come back as puzzles, kept in the browser. */

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import {
  dueMistakes,
  noteMistakes,
  noteResult,
} from "../../../src/lineduel/web/page/own_mistakes.js";

const DAY = 86_400_000;
const NOW = 100 * DAY;
const items = new Map();
globalThis.localStorage = {
  getItem: (key) => items.get(key) ?? null,
  setItem: (key, text) => items.set(key, text),
};
const due = (game, now = NOW) => dueMistakes(game, now).map((one) => one.position);

beforeEach(() => items.clear());

test("a mistake is kept once, and apart for each game", () => {
  noteMistakes("one", ["a", "b", "a"]);
  noteMistakes("two", ["a"]);
  noteMistakes("one", ["b", "c"]);
  assert.deepEqual(due("one"), ["a", "b", "c"]);
  assert.deepEqual(due("two"), ["a"]);
});

test("a solved one comes back later and later, to the moment, and a missed one at once", () => {
  noteMistakes("one", ["a"]);
  let now = NOW;
  for (const days of [1, 2, 4, 8, 16, 32, 32]) {
    noteResult("one", "a", true, now);
    assert.deepEqual(due("one", now + days * DAY - 1), []);
    now += days * DAY;
    assert.deepEqual(due("one", now), ["a"]);
  }
  noteResult("one", "a", false, now);
  assert.deepEqual(due("one", now), ["a"]);
  noteResult("one", "a", true, now);
  assert.deepEqual(due("one", now + DAY), ["a"]);
});

test("the longest overdue comes first", () => {
  noteMistakes("one", ["a", "b"]);
  noteResult("one", "a", true, NOW);
  noteResult("one", "b", true, NOW - DAY);
  assert.deepEqual(due("one", NOW + 9 * DAY), ["b", "a"]);
});

test("what was noted first makes room", () => {
  const positions = Array.from({ length: 401 }, (_, at) => `p${at}`);
  noteMistakes("one", positions);
  assert.deepEqual(due("one"), positions.slice(1));
});
