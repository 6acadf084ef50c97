/** What a click on a board means. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { chosen, NOTHING, select, stays } from "../../../src/lineduel/web/page/board_selection.js";

const move = (piece, from, to) => ({ move: `${piece}>${to}`, piece, from, to, text: "" });
const piece = (name, at) => ({ name, side: "P1", at });
const A2 = move("A", 1, 2);
const A3 = move("A", 1, 3);
const A_STAYS = move("A", 1, 1);
const B3 = move("B", 2, 3);
const offered = (...moves) => select(NOTHING, { type: "offer", moves });
const picked = (selection, name) => select(selection, { type: "pick", piece: name });

test("the only piece that can move is picked already", () => {
  assert.equal(offered(A2, A3).picked, "A");
  assert.equal(offered(A2, B3).picked, null);
});

test("a pass picks no piece", () => {
  assert.equal(offered(move(null, null, null)).picked, null);
});

test("a picked piece stays picked while it can move", () => {
  const before = picked(offered(A2, B3), "B");
  assert.equal(select(before, { type: "offer", moves: [A3, B3] }).picked, "B");
  assert.equal(select(before, { type: "offer", moves: [] }).picked, null);
});

test("a click on a cell that one piece can reach plays that move", () => {
  assert.deepEqual(chosen(offered(A2, B3), 3, []), { moves: [B3] });
});

test("where two pieces can go, one asks which is meant", () => {
  assert.deepEqual(chosen(offered(A3, B3), 3, []), { moves: [A3, B3] });
  assert.deepEqual(chosen(picked(offered(A3, B3), "A"), 3, []), { moves: [A3] });
});

test("a click on a piece picks it, and a second click lets it go", () => {
  const nothingPicked = offered(A2, B3);
  assert.deepEqual(chosen(nothingPicked, 1, [piece("A", 1)]), { piece: "A" });
  assert.deepEqual(chosen(picked(nothingPicked, "A"), 1, [piece("A", 1)]), { piece: null });
});

test("a click on a piece never plays: staying is offered apart", () => {
  const selection = picked(offered(A2, A_STAYS, B3), "A");
  assert.deepEqual(chosen(selection, 1, [piece("A", 1)]), { piece: null });
  assert.deepEqual(stays(selection), [A_STAYS]);
  assert.deepEqual(stays(picked(selection, "B")), []);
});

test("the only piece that can move stays picked, however it is clicked", () => {
  const selection = offered(A2, A_STAYS);
  assert.equal(selection.picked, "A");
  assert.equal(select(selection, { type: "pick", piece: null }).picked, "A");
});

test("clicks on a shared cell pick one piece after the other, and then none", () => {
  const both = [piece("A", 1), piece("C", 1)];
  const selection = offered(A2, move("C", 1, 2));
  assert.deepEqual(chosen(selection, 1, both), { piece: "A" });
  assert.deepEqual(chosen(picked(selection, "A"), 1, both), { piece: "C" });
  assert.deepEqual(chosen(picked(selection, "C"), 1, both), { piece: null });
});

test("a click on anything else lets the piece go", () => {
  assert.deepEqual(chosen(picked(offered(A2, B3), "A"), 5, [piece("X", 5)]), { piece: null });
});

test("looking and hinting change nothing else", () => {
  const before = offered(A2, B3);
  assert.deepEqual(select(before, { type: "look", cell: 2 }), { ...before, looked: 2 });
  assert.deepEqual(select(before, { type: "hint", move: B3 }), { ...before, hinted: B3 });
});
