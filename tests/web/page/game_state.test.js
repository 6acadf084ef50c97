/** The state of a game's page, from the messages of the server and what a person does. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import {
  actions,
  canReact,
  choosingSide,
  headingOf,
  isAsked,
  leftSide,
  newlySaid,
  outcome,
  questions,
  reduce,
  START,
  scoreOf,
  secondsToClaim,
  seriesWith,
  tipOf,
  unseen,
} from "../../../src/lineduel/web/page/game_state.js";

/** A view that a server has sent; a test of the schemas reads it, too. */
const VIEW = JSON.parse(readFileSync(new URL("live-view.json", import.meta.url), "utf-8"));
const FRIENDS = { ...VIEW, kinds: { P1: "person", P2: "person" } };
const RESULT = { winner: "P1", sentence: "Ann wins." };
const CLAIM = { seconds_left: 20, can: ["win"], sentence: "Player 2 is away." };
const MOVE = { do: "move", move: VIEW.moves[0].move, turn: VIEW.turn };

const frozen = (value) => {
  if (typeof value === "object" && value !== null)
    Object.values(Object.freeze(value)).forEach(frozen);
  return value;
};
/** Every state is frozen before the next event: code that changed one would fail. */
const after = (state, ...events) =>
  frozen(events.reduce((one, event) => reduce(frozen(one), frozen(event)), state));
const heard = (message, now = 0) => ({ type: "heard", message, now });
const asked = (request) => ({ type: "asked", request });
const listed = (view = VIEW) => [heard(view), { type: "shown", view }, { type: "listed", view }];
const ready = (view = VIEW) => after(START, { type: "connecting" }, ...listed(view));

/** The message of one more turn, after which it is player 2's turn. */
function turn(view, changes = {}) {
  const { version, turn: count, board, numbers, sentence, undo, result } = view;
  const line = { n: count + 1, side: "P1", move: MOVE.move, text: "Ann to 2" };
  const last = {
    move: MOVE.move,
    side: "P1",
    before: board.position,
    sentence: "Ann goes to 2.",
    events: [],
  };
  return {
    type: "turn",
    since: version,
    version: version + 1,
    turn: count + 1,
    board: { ...board, position: "2/5/2", to_move: "P2" },
    asked: ["P2"],
    chosen: [],
    moves: [],
    numbers,
    sentence,
    undo,
    result,
    last,
    log: [line],
    ...changes,
  };
}

/** An open battle, in which both are asked. */
function battle(changes = {}) {
  const board = { ...VIEW.board, position: "3/3/1*", battle: { cell: 3, numbers: 5 } };
  return {
    ...FRIENDS,
    board,
    moves: [],
    asked: ["P1", "P2"],
    numbers: [1, 2, 3, 4, 5],
    ...changes,
  };
}

test("the page connects, and is live with the first view", () => {
  const connecting = after(START, { type: "connecting" });
  assert.equal(connecting.connection, "connecting");
  const live = after(connecting, heard(VIEW));
  assert.equal(live.connection, "live");
  assert.equal(live.view, VIEW);
});

test("a line that breaks keeps the game on the screen, and says so", () => {
  const lost = after(ready(), { type: "lost" });
  assert.equal(lost.connection, "again");
  assert.equal(lost.view, VIEW);
  assert.equal(after(lost, { type: "connecting" }).connection, "again");
  assert.equal(after(lost, heard(VIEW)).connection, "live");
});

test("a server that says goodbye comes back, or ends the game here", () => {
  assert.equal(after(ready(), heard({ type: "bye", error: "", again: true })).connection, "again");
  assert.equal(
    after(ready(), heard({ type: "bye", error: "No such game.", again: false })).ended,
    "No such game.",
  );
});

test("a turn is added to the view, with its line in the log", () => {
  const { view } = after(ready(), heard(turn(VIEW)));
  assert.equal(view.turn, VIEW.turn + 1);
  assert.equal(view.type, "view");
  assert.equal(view.title, VIEW.title);
  assert.deepEqual(
    view.log.map((line) => line.n),
    [...VIEW.log.map((line) => line.n), VIEW.turn + 1],
  );
  assert.equal(view.last.sentence, "Ann goes to 2.");
});

test("a number that was chosen changes no last turn", () => {
  const played = after(ready(), heard(turn(VIEW)));
  const chose = turn(played.view, { turn: played.view.turn, last: null, log: [], chosen: ["P2"] });
  assert.equal(after(played, heard(chose)).view.last, played.view.last);
});

test("a turn that came before is not counted twice", () => {
  const played = after(ready(), heard(turn(VIEW)));
  assert.equal(after(played, heard(turn(VIEW))), played);
});

test("after a missed turn nothing is guessed: the whole view is asked for", () => {
  const missed = { since: VIEW.version + 1, version: VIEW.version + 2 };
  const behind = after(ready(), heard(turn(VIEW, missed)));
  assert.equal(behind.isBehind, true);
  assert.equal(behind.view, VIEW);
  assert.equal(after(behind, heard({ ...VIEW, version: VIEW.version + 2 })).isBehind, false);
  assert.equal(after(START, heard(turn(VIEW))).isBehind, true);
});

test("after a break the turns that were missed come at once, or nothing new", () => {
  const lost = after(ready(), { type: "lost" });
  const resumed = after(lost, heard(turn(VIEW, { version: VIEW.version + 3 })));
  assert.deepEqual([resumed.isIn, resumed.isBehind], [true, false]);
  assert.equal(resumed.view.version, VIEW.version + 3);
  const nothing = { version: VIEW.version, turn: VIEW.turn, log: [], last: null };
  const same = after(lost, heard(turn(VIEW, nothing)));
  assert.deepEqual([same.isIn, same.view.version], [true, VIEW.version]);
});

test("an older view never replaces a newer one", () => {
  const played = after(ready(), heard(turn(VIEW)));
  assert.equal(after(played, heard(VIEW)).view, played.view);
});

test("moves are offered once the position is on the screen", () => {
  const arrived = after(START, heard(VIEW));
  assert.equal(arrived.isReady, false);
  assert.deepEqual(arrived.selection.moves, []);
  const shown = after(arrived, { type: "listed", view: VIEW });
  assert.equal(shown.isReady, true);
  assert.equal(shown.selection.moves, VIEW.moves);
});

test("moves of a position that is over already are not offered", () => {
  const played = after(START, heard(VIEW), heard(turn(VIEW)), { type: "listed", view: VIEW });
  assert.equal(played.isReady, false);
});

test("who comes and goes does not disturb somebody who is choosing a move", () => {
  const before = after(
    ready(),
    { type: "pick", piece: VIEW.moves[0].piece },
    { type: "look", cell: 2 },
  );
  const now = after(
    before,
    heard({ type: "presence", P1: true, P2: true, watching: 3, claim: null }),
  );
  assert.deepEqual(now.view.presence, { P1: true, P2: true, watching: 3 });
  assert.equal(now.isReady, true);
  assert.equal(now.selection, before.selection);
});

test("one move is asked for at a time", () => {
  const state = after(ready(), asked(MOVE));
  assert.equal(state.isReady, false);
  assert.deepEqual(state.selection.moves, []);
  assert.deepEqual(state.waiting, [{ ...MOVE, id: 1 }]);
});

test("a move that is refused can be chosen again, and the reason is shown until the next request", () => {
  const refused = after(
    ready(),
    asked(MOVE),
    heard({ type: "refused", id: 1, error: "Not legal." }),
  );
  assert.equal(refused.problem, "Not legal.");
  assert.equal(refused.isReady, true);
  assert.deepEqual(refused.waiting, []);
  assert.equal(after(refused, asked({ do: "undo" })).problem, "");
});

test("something that failed on the way does not stop a move that is under way", () => {
  const refused = after(ready(), asked(MOVE), heard(turn(VIEW)), {
    type: "failed",
    sentence: "Offline.",
  });
  assert.equal(refused.isReady, false);
});

test("an answer to a request ends the wait for it", () => {
  const state = after(ready(), asked({ do: "undo" }), asked(MOVE), heard(turn(VIEW, { done: 2 })));
  assert.deepEqual(state.waiting, [{ do: "undo", id: 1 }]);
});

test("after a break a move goes out again if it is still that turn, and nothing else does", () => {
  const broken = after(ready(), asked(MOVE), asked({ do: "undo" }), { type: "lost" });
  assert.deepEqual(after(broken, heard(VIEW)).waiting, [{ ...MOVE, id: 1 }]);
  const later = { ...VIEW, version: VIEW.version + 1, turn: VIEW.turn + 1 };
  assert.deepEqual(after(broken, heard(later)).waiting, []);
  assert.deepEqual(after(broken, heard({ ...VIEW, asked: ["P2"] })).waiting, []);
});

test("your number is remembered while the battle is open, and forgotten after it", () => {
  const open = ready(battle());
  const chose = after(open, asked({ do: "number", number: 4, turn: VIEW.turn }));
  assert.deepEqual(chose.numbers, { P1: 4 });
  const told = after(
    chose,
    heard({ ...battle({ chosen: ["P1"], asked: ["P2"] }), version: VIEW.version + 1 }),
  );
  assert.equal(told.numbers.P1, 4);
  const over = after(told, heard(turn(told.view, { board: { ...VIEW.board, position: "3/5/2" } })));
  assert.equal(over.numbers.P1, undefined);
});

test("on a shared screen no number is kept, and each has to come forward", () => {
  const both = battle({ you: "both" });
  const first = after(ready(both), { type: "ready", side: "P1" });
  assert.equal(first.ready, "P1");
  const chose = after(first, asked({ do: "number", number: 4, side: "P1", turn: VIEW.turn }));
  assert.deepEqual(chose.numbers, {});
  const next = battle({ you: "both", chosen: ["P1"], asked: ["P2"], version: VIEW.version + 1 });
  assert.equal(after(chose, heard(next)).ready, null);
});

test("only a side that is asked chooses a number", () => {
  assert.equal(choosingSide(battle()), "P1");
  assert.equal(choosingSide(battle({ asked: ["P2"] })), null);
  assert.equal(choosingSide(battle({ you: "both", asked: ["P2"] })), "P2");
  assert.equal(choosingSide(battle({ you: null, numbers: [] })), null);
  assert.equal(choosingSide(VIEW), null);
});

test("it is your turn if you are asked; a spectator never is", () => {
  assert.equal(isAsked({ ...VIEW, asked: ["P1"] }), true);
  assert.equal(isAsked({ ...VIEW, asked: ["P2"] }), false);
  assert.equal(isAsked({ ...VIEW, you: "both", asked: ["P2"] }), true);
  assert.equal(isAsked({ ...VIEW, you: null, asked: ["P1"] }), false);
});

test("an undo is answered by the other player, and withdrawn by the one who asked", () => {
  const undo = { can: false, asked_by: "P2", sentence: "Player 2 wants to take back." };
  assert.deepEqual(questions({ ...FRIENDS, undo }), ["undo"]);
  assert.deepEqual(questions({ ...FRIENDS, undo: { ...undo, asked_by: "P1" } }), ["undo-own"]);
  assert.deepEqual(questions({ ...FRIENDS, undo, you: "both" }), []);
  assert.deepEqual(questions({ ...FRIENDS, undo, you: null }), []);
});

test("of what the players offer each other, one thing is shown at a time", () => {
  const undo = { can: false, asked_by: "P1", sentence: "You ask to take back turn 1." };
  const stop = { can: true, offered_by: "P2", refused_by: null, sentence: "Stop?", is_due: false };
  assert.deepEqual(questions({ ...FRIENDS, undo, stop }), ["stop"]);
  assert.deepEqual(questions({ ...FRIENDS, undo: { ...undo, asked_by: "P2" }, stop }), ["undo"]);
});

test("a game in circles can be stopped by a button", () => {
  const stop = { ...FRIENDS.stop, is_due: true };
  assert.deepEqual(questions({ ...FRIENDS, stop }), ["stop-due"]);
  assert.deepEqual(questions({ ...FRIENDS, stop: { ...stop, offered_by: "P1" } }), ["stop-own"]);
});

test("what went wrong, and why a click did nothing, are forgotten in the next position", () => {
  const refused = heard({ type: "refused", id: null, error: "The game has gone on." });
  const wrong = after(ready(FRIENDS), refused, { type: "noted", sentence: "Not yours." });
  assert.deepEqual([wrong.problem, wrong.note], ["The game has gone on.", "Not yours."]);
  const next = after(wrong, heard(turn(FRIENDS)));
  assert.deepEqual([next.problem, next.note], ["", ""]);
  assert.equal(after(wrong, { type: "pick", piece: "Ann" }).note, "");
});

test("a rematch is offered until there is one", () => {
  const over = { ...FRIENDS, result: RESULT };
  assert.deepEqual(questions({ ...over, rematch: { offered_by: ["P2"], id: null } }), ["rematch"]);
  assert.deepEqual(questions({ ...over, rematch: { offered_by: ["P1"], id: null } }), [
    "rematch-own",
  ]);
  assert.deepEqual(questions({ ...over, rematch: { offered_by: ["P1", "P2"], id: "next" } }), []);
});

test("a claim can be made in a game that both have joined and that is not over", () => {
  assert.deepEqual(questions({ ...FRIENDS, claim: CLAIM, asked: ["P2"] }), ["claim"]);
  assert.deepEqual(questions({ ...FRIENDS, claim: CLAIM, asked: ["P2"], joined: false }), []);
  assert.deepEqual(questions({ ...FRIENDS, claim: CLAIM, asked: ["P2"], result: RESULT }), []);
});

test("a player whose seat the computer took can take it back", () => {
  assert.deepEqual(questions({ ...VIEW, kinds: { P1: "computer", P2: "person" } }), ["taken-over"]);
});

test("nothing is claimed while it is your turn: you can move", () => {
  assert.deepEqual(questions({ ...FRIENDS, claim: CLAIM, asked: ["P1"] }), []);
  assert.deepEqual(questions({ ...FRIENDS, claim: CLAIM, asked: ["P2"] }), ["claim"]);
});

test("who asked to take back hears of a refusal, and not of their own withdrawal", () => {
  const undo = { can: false, asked_by: "P1", sentence: "You ask to take back turn 1." };
  const asking = { ...FRIENDS, undo, version: FRIENDS.version + 1 };
  const open = after(ready(FRIENDS), heard(asking));
  const refused = { ...FRIENDS, version: asking.version + 1 };
  const name = FRIENDS.names.P2;
  assert.equal(after(open, heard(refused)).note, `${name} refused to take it back.`);
  const withdrawing = after(open, asked({ do: "undo-answer", yes: false }));
  assert.equal(after(withdrawing, heard({ ...refused, done: 1 })).note, "");
  assert.equal(after(open, heard({ ...refused, turn: FRIENDS.turn - 1 })).note, "");
  const other = { ...asking, undo: { ...undo, asked_by: "P2" } };
  assert.equal(after(ready(FRIENDS), heard(other), heard(refused)).note, "");
});

test("how often a position has come up is below the heading", () => {
  const sentence = "Your move. This position has now come up 4 times.";
  const parts = ["Your move.", "This position has now come up 4 times."];
  assert.deepEqual(headingOf({ ...VIEW, sentence }), parts);
  const result = { headline: "You won.", how: "P1 reached 8.", sentence: "You won. P1 reached 8." };
  assert.deepEqual(headingOf({ ...VIEW, sentence, result }), ["You won.", ""]);
});

test("what the coach says of itself makes room for a hint and for the next position", () => {
  const told = after(ready(FRIENDS), { type: "remarked", sentence: "Coach on." });
  assert.equal(told.remark, "Coach on.");
  assert.equal(after(told, { type: "tip" }).remark, "");
  assert.equal(after(told, { type: "untip" }).remark, "");
  assert.equal(after(told, heard(turn(FRIENDS))).remark, "");
});

test("the countdown to a claim goes on when a turn is played", () => {
  const away = { type: "presence", P1: true, P2: false, watching: 0, claim: CLAIM };
  const told = after(ready(FRIENDS), heard(away, 1000));
  assert.equal(secondsToClaim(told, 1000), 20);
  assert.equal(secondsToClaim(told, 15500), 6);
  assert.equal(secondsToClaim(told, 99000), 0);
  assert.equal(secondsToClaim(after(told, heard(turn(FRIENDS), 15500)), 15500), 6);
  const back = { ...away, P2: true, claim: null };
  assert.equal(after(told, heard(back, 16000)).claimableAt, null);
});

test("what can be done besides moving", () => {
  const names = (view) => actions(view).map((one) => (one.off ? `(${one.name})` : one.name));
  const undo = { can: true, asked_by: null, sentence: "" };
  const { helped, ...view } = VIEW;
  assert.deepEqual(names(view), ["stop", "resign"]); // nothing to take back before the first turn
  assert.deepEqual(names({ ...view, turn: 1 }), ["(undo)", "stop", "resign"]);
  const help = ["hint", "coach", "stop", "resign"];
  assert.deepEqual(names(VIEW), help);
  assert.deepEqual(names({ ...VIEW, asked: ["P2"] }), help.with(0, "(hint)"));
  const stop = { ...VIEW.stop, can: false, offered_by: "P1" };
  assert.deepEqual(names({ ...view, stop }), ["(stop)", "resign"]);
  assert.deepEqual(names({ ...view, undo, joined: false }), ["undo", "abort"]);
  assert.deepEqual(names({ ...VIEW, result: RESULT }), ["rematch", "review"]);
  const offered = { offered_by: ["P1"], id: null };
  assert.deepEqual(names({ ...VIEW, result: RESULT, rematch: offered }), ["(rematch)", "review"]);
  assert.deepEqual(names({ ...view, you: null }), []);
  assert.deepEqual(names({ ...VIEW, you: null, result: RESULT }), ["review"]);
});

const TIP = { text: "Look at Ann.", pieces: ["Ann"], cells: [], deed: null };
const ADVICE = {
  position: VIEW.board.position,
  side: VIEW.asked[0],
  hint: [TIP, { ...TIP, text: "Because." }, { ...TIP, text: "Do it." }],
  move: MOVE.move,
  warnings: { [MOVE.move]: { ...TIP, text: "That is a mistake." } },
  threatened: [],
  estimate: false,
};
const advised = { type: "advised", advice: ADVICE };

test("a hint comes in parts, and the last one points at its move", () => {
  const [{ piece, to }] = VIEW.moves;
  let state = after(ready(), { type: "tip" });
  assert.equal(tipOf(state).tip, null);
  state = after(state, advised);
  assert.deepEqual(tipOf(state), { tip: TIP, more: "why" });
  state = after(state, { type: "tip" });
  assert.equal(tipOf(state).tip.text, "Because.");
  assert.equal(tipOf(state).more, "move");
  state = after(state, { type: "tip" }, { type: "tip" });
  assert.equal(tipOf(state).tip.text, "Do it.");
  assert.deepEqual([tipOf(state).tip.pieces, tipOf(state).tip.cells], [[piece], [to]]);
  assert.equal(tipOf(state).more, null);
  assert.equal(tipOf(after(state, { type: "untip" })).tip, null);
});

test("a move that the coach doubts is played or given up, and the next position begins afresh", () => {
  const doubted = after(ready(), advised, { type: "doubted", move: MOVE.move });
  assert.equal(tipOf(doubted).tip.text, "That is a mistake.");
  assert.ok(doubted.isReady);
  const given = after(doubted, { type: "doubted", move: null });
  assert.equal(tipOf(given).tip, null);
  const played = after(doubted, asked(MOVE));
  assert.equal(played.doubted, null);
  const next = after(played, heard(turn(VIEW)));
  assert.deepEqual([next.advice, next.tips, next.doubted], [null, 0, null]);
});

test("advice that comes too late is not about this position", () => {
  const state = after(ready(), asked(MOVE), heard(turn(VIEW)), advised);
  assert.equal(state.advice, null);
});

test("an offer to stop is answered by the other player, and withdrawn by the one who made it", () => {
  const offer = (side) => ({ ...VIEW.stop, offered_by: side });
  assert.deepEqual(questions({ ...FRIENDS, stop: offer("P2") }), ["stop"]);
  assert.deepEqual(questions({ ...FRIENDS, stop: offer("P1") }), ["stop-own"]);
  const refused = { ...VIEW.stop, refused_by: "P2" };
  assert.deepEqual(questions({ ...FRIENDS, stop: refused }), ["stop-refused"]);
});

test("a move is shown when it is asked for, and only the rest of it when it comes", () => {
  const state = ready(VIEW);
  const [first] = VIEW.moves;
  const asked = after(state, { type: "asked", request: { do: "move", move: first.move, turn: 0 } });
  assert.equal(asked.anticipated, first);
  const moved = { kind: "moved", side: "P1", piece: first.piece, from: first.from, to: first.to };
  const taken = { kind: "taken", side: "P2", piece: "X", cell: first.to };
  assert.deepEqual(unseen([moved, taken], asked.anticipated), [taken]);
  assert.deepEqual(unseen([moved, taken], null), [moved, taken]);
  const other = { ...moved, piece: "another" };
  assert.deepEqual(unseen([other], asked.anticipated), [other]);
});

test("a move that is refused is put right", () => {
  const [first] = VIEW.moves;
  const asked = after(ready(VIEW), {
    type: "asked",
    request: { do: "move", move: first.move, turn: 0 },
  });
  const refused = after(asked, heard({ type: "refused", id: 1, error: "No." }, 0));
  assert.equal(refused.anticipated, null);
  assert.equal(refused.isReady, true);
});

test("your own side is on the left, and the end is said to you", () => {
  assert.equal(leftSide({ ...VIEW, you: "P2" }), "P2");
  assert.equal(leftSide({ ...VIEW, you: "both" }), "P1");
  assert.equal(outcome({ ...VIEW, you: "P1", result: { ...RESULT, winner: "P1" } }), "won");
  assert.equal(outcome({ ...VIEW, you: "P2", result: { ...RESULT, winner: "P1" } }), "lost");
  assert.equal(outcome({ ...VIEW, you: "both", result: { ...RESULT, winner: "P1" } }), "ended");
  assert.equal(outcome(VIEW), null);
});

test("a series counts each game once, from the view of one person", () => {
  assert.deepEqual(seriesWith(undefined, "won"), { won: 1, lost: 0 });
  assert.deepEqual(seriesWith({ won: 1, lost: 0 }, "lost"), { won: 1, lost: 1 });
  for (const how of ["ended", "", null, undefined])
    assert.deepEqual(seriesWith({ won: 2, lost: 3 }, how), { won: 2, lost: 3 });
});

test("the score has the games before, and this one once it is over; the seats may be swapped", () => {
  const series = { won: 2, lost: 1 };
  const scores = (view) => ["P1", "P2"].map((side) => scoreOf(series, view, side));
  assert.deepEqual(scores({ ...VIEW, you: "P1", result: null }), [2, 1]);
  assert.deepEqual(scores({ ...VIEW, you: "P2", result: null }), [1, 2]);
  assert.deepEqual(scores({ ...VIEW, you: "P1", result: RESULT }), [3, 1]);
  assert.deepEqual(scores({ ...VIEW, you: "P2", result: RESULT }), [2, 2]);
  assert.deepEqual(scores({ ...VIEW, you: "P1", result: { ...RESULT, winner: null } }), [2, 1]);
});

test("there is no score in a first game, for those who watch, and for who plays both sides", () => {
  assert.equal(scoreOf(undefined, { ...VIEW, you: "P1" }, "P1"), null);
  for (const you of [null, "both"])
    assert.equal(scoreOf({ won: 0, lost: 0 }, { ...VIEW, you, result: RESULT }, "P1"), null);
});

test("what was said is news once, the same thing again, too; what was said before is not", () => {
  const saying = (reaction, count) => ({ ...FRIENDS, reactions: { P2: { reaction, count } } });
  assert.deepEqual(newlySaid(null, saying("wow", 1)), []);
  assert.deepEqual(newlySaid(FRIENDS, saying("wow", 1)), [{ side: "P2", reaction: "wow" }]);
  assert.deepEqual(newlySaid(saying("wow", 1), saying("wow", 1)), []);
  assert.deepEqual(newlySaid(saying("wow", 1), saying("wow", 2)), [
    { side: "P2", reaction: "wow" },
  ]);
});

test("only two people at two screens say something to each other", () => {
  const friends = { ...FRIENDS, you: "P1", joined: true };
  assert.equal(canReact(friends), true);
  assert.equal(canReact({ ...friends, joined: false }), false);
  assert.equal(canReact({ ...friends, kinds: { P1: "person", P2: "computer" } }), false);
  for (const you of [null, "both"]) assert.equal(canReact({ ...friends, you }), false);
});
