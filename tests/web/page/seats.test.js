/** The games that a browser takes part in. */

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

const items = new Map();
const storage = {
  getItem: (key) => items.get(key) ?? null,
  setItem: (key, text) => items.set(key, text),
  removeItem: (key) => items.delete(key),
};
globalThis.localStorage = globalThis.sessionStorage = storage;
const { known, remember } = await import("../../../src/lineduel/web/page/seats.js");

let now = 0;
Date.now = () => ++now;

beforeEach(() => items.clear());

test("the games that were open last are remembered", () => {
  for (let at = 0; at < 202; at++) remember(`game${at}`, { token: "s.x" });
  const ids = known().map((one) => one.id);
  assert.equal(ids.length, 200);
  assert.deepEqual([ids[0], ids.at(-1)], ["game201", "game2"]);
  remember("game2", { over: true }, false);
  assert.equal(known().at(-1).id, "game2", "news of a game does not open it");
  remember("game2", {});
  assert.equal(known()[0].id, "game2");
});
