/**
 * The state of a game's page as a value, without any screen, clock or connection: `reduce` gives
 * the next state for each thing that happens, and the page draws what has changed.
 */

import { NOTHING, select } from "./board_selection.js";
import { SIDES } from "./faces.js";
import { text } from "./texts.js";

/** @import { Selection, SelectionEvent } from "./board_selection.js" */
/** @import { AdviceDocument, ClaimState, EventDocument, LiveMessage, LiveTurn, LiveView, PossibleMove, Request } from "./documents.js" */
/** @import { Pointer } from "./reason_marks.js" */
/** @import { SideId } from "./faces.js" */

/**
 * @typedef {object} GameState
 * @property {"connecting" | "live" | "again"} connection
 * @property {boolean} isIn Whether this connection has brought a view.
 * @property {boolean} isBehind Whether a turn was missed, so that the whole view has to be asked for.
 * @property {LiveView | null} view The latest view from the server.
 * @property {LiveView | null} shown The game as it is on the screen, where pieces may still be moving.
 * @property {LiveView | null} offered The view whose moves are listed.
 * @property {boolean} isReady Whether a move is taken now.
 * @property {PossibleMove | null} anticipated A move of yours that is shown before the server has answered.
 * @property {Selection} selection
 * @property {{ [side in SideId]?: number }} numbers Your number in the open battle; the server does not repeat it.
 * @property {SideId | null} ready Who has come to a shared screen to choose a number; the other looks away.
 * @property {AdviceDocument | null} advice Help for the position that the game is in, once it was asked for.
 * @property {number} tips How many parts of the hint were asked for.
 * @property {string} remark What the coach says of itself; empty if nothing.
 * @property {string | null} doubted A move that is not played before the person has heard the coach.
 * @property {number | null} claimableAt When a claim may be made, in milliseconds.
 * @property {number} asked How many requests were made.
 * @property {Request[]} waiting Requests that the server has not answered.
 * @property {string} problem Why the last request was refused; empty if it was not.
 * @property {string} note What is said to somebody who clicked where nothing can be done; empty otherwise.
 * @property {string | null} ended Why there is no game here any more.
 */

/**
 * @typedef {{ type: "connecting" } | { type: "lost" } | { type: "heard", message: LiveMessage, now: number }
 *   | { type: "asked", request: Request } | { type: "failed", sentence: string } | { type: "shown", view: LiveView }
 *   | { type: "listed", view: LiveView } | { type: "ready", side: SideId }
 *   | { type: "advised", advice: AdviceDocument } | { type: "tip" } | { type: "untip" }
 *   | { type: "doubted", move: string | null } | { type: "remarked", sentence: string }
 *   | { type: "noted", sentence: string } | SelectionEvent} GameEvent
 */

/** @type {GameState} */
export const START = {
  connection: "connecting",
  isIn: false,
  isBehind: false,
  view: null,
  shown: null,
  offered: null,
  isReady: false,
  anticipated: null,
  selection: NOTHING,
  numbers: {},
  ready: null,
  advice: null,
  tips: 0,
  remark: "",
  doubted: null,
  claimableAt: null,
  asked: 0,
  waiting: [],
  problem: "",
  note: "",
  ended: null,
};

/** Without any help, as in a new position. */
const UNADVISED = { advice: null, tips: 0, remark: "", doubted: null };

/**
 * The state after something happened.
 * @param {GameState} state
 * @param {GameEvent} event
 * @returns {GameState}
 */
export function reduce(state, event) {
  switch (event.type) {
    case "connecting":
      return { ...state, connection: state.view ? "again" : "connecting" };
    case "lost":
      return { ...state, connection: "again", isIn: false };
    case "heard":
      return withRefusal(heard(state, event.message, event.now), state);
    case "asked":
      return asked(state, event.request);
    case "failed":
      return refused(state, event.sentence);
    case "shown":
      return {
        ...state,
        shown: event.view,
        anticipated:
          state.shown && isSamePosition(state.shown, event.view) ? state.anticipated : null,
      };
    case "listed":
      return isNow(state, event.view) ? withMoves({ ...state, offered: event.view }, true) : state;
    case "ready":
      return { ...state, ready: event.side };
    case "advised":
      return isAbout(event.advice, state) ? { ...state, advice: event.advice } : state;
    case "tip":
      return {
        ...state,
        tips: state.tips + 1,
        remark: "",
        doubted: null,
        problem: "",
        note: "",
      };
    case "untip":
      return { ...state, tips: 0, remark: "" };
    case "doubted":
      return { ...state, doubted: event.move, tips: 0, remark: "" };
    case "remarked":
      return { ...state, remark: event.sentence, tips: 0 };
    case "noted":
      return { ...state, note: event.sentence };
    default:
      return {
        ...state,
        note: event.type === "pick" ? "" : state.note,
        selection: select(state.selection, event),
      };
  }
}

/**
 * What was asked for is no longer asked, nothing was taken back, and it was not withdrawn here: the
 * other player refused.
 * @param {GameState} state
 * @param {GameState} before
 * @returns {GameState}
 */
function withRefusal(state, { view: before, waiting }) {
  const { view } = state;
  if (!view || !before || (before.you !== "P1" && before.you !== "P2")) return state;
  const isRefused =
    before.undo.asked_by === before.you &&
    view.undo.asked_by === null &&
    view.turn === before.turn &&
    !view.result &&
    state.waiting.length === waiting.length;
  const other = before.you === "P1" ? "P2" : "P1";
  return isRefused ? { ...state, note: text("undoRefused", { name: before.names[other] }) } : state;
}

/**
 * @param {GameState} state
 * @param {LiveMessage} message
 * @param {number} now
 * @returns {GameState}
 */
function heard(state, message, now) {
  const answered =
    message.type === "refused" ? message.id : "done" in message ? message.done : undefined;
  const waiting = state.waiting.filter((one) => one.id !== answered);
  const next = waiting.length < state.waiting.length ? { ...state, waiting } : state;
  switch (message.type) {
    case "view": {
      const after = taken(next, message);
      return after.view === message ? withClaim(after, message.claim, now) : after;
    }
    case "turn":
      return turned(next, message);
    case "presence": {
      if (!next.view) return next;
      const { type, claim, ...presence } = message;
      return { ...withClaim(next, claim, now), view: { ...next.view, presence, claim } };
    }
    case "refused":
      return refused(next, message.error);
    case "bye":
      return message.again ? { ...next, connection: "again" } : { ...next, ended: message.error };
  }
}

/**
 * A turn carries only what changed; lines of the log are added to those we have. One that does not
 * follow on what we have seen cannot be added. After a break it may bring nothing new.
 * @param {GameState} state
 * @param {LiveTurn} turn
 */
function turned(state, turn) {
  const { view } = state;
  if (!view || turn.since !== view.version)
    return view && turn.version <= view.version ? state : { ...state, isBehind: true };
  const { type, done, since, log, last, ...changed } = turn;
  return taken(state, { ...view, ...changed, last: last ?? view.last, log: [...view.log, ...log] });
}

/**
 * Take over a view, unless we have a newer one. After a break, only what still fits the game goes
 * out again: an old turn would be refused.
 * @param {GameState} state
 * @param {LiveView} view
 * @returns {GameState}
 */
function taken(state, view) {
  const { view: before, waiting, numbers } = state;
  if (before && view.version < before.version) return state;
  const isSame = before !== null && isSamePosition(before, view);
  const next = {
    ...state,
    view,
    connection: /** @type {const} */ ("live"),
    isIn: true,
    isBehind: false,
    waiting: state.isIn
      ? waiting
      : waiting.filter((one) => one.turn === view.turn && isAsked(view)),
  };
  const isAnswered = !next.waiting.some((one) => one.do === "move");
  if (isSame) return isAnswered ? { ...next, anticipated: null } : next;
  const kept = Object.fromEntries(view.chosen.map((side) => [side, numbers[side]]));
  return withMoves(
    { ...next, ...UNADVISED, numbers: kept, ready: null, problem: "", note: "" },
    false,
  );
}

/**
 * The server says how many seconds from now a claim has to wait.
 * @param {GameState} state
 * @param {ClaimState | null} claim
 * @param {number} now
 */
function withClaim(state, claim, now) {
  return { ...state, claimableAt: claim && now + claim.seconds_left * 1000 };
}

/**
 * @param {GameState} state
 * @param {Request} request
 */
function asked(state, request) {
  const count = state.asked + 1;
  const next = {
    ...state,
    asked: count,
    waiting: [...state.waiting, { ...request, id: count }],
    problem: "",
  };
  if (request.do === "move" || request.do === "pass")
    return withMoves(
      { ...next, tips: 0, remark: "", doubted: null, anticipated: possible(state, request.move) },
      false,
    );
  const side = state.view?.you;
  const isOwn = request.do === "number" && (side === "P1" || side === "P2");
  return isOwn ? { ...next, numbers: { ...next.numbers, [side]: request.number } } : next;
}

/**
 * @param {GameState} state
 * @param {string | null} [move]
 */
function possible({ view }, move) {
  return view?.moves.find((one) => one.move === move && one.piece !== null) ?? null;
}

/**
 * What is still to be shown of a turn, where its first step was shown when it was asked for.
 * @param {EventDocument[]} events
 * @param {PossibleMove | null} anticipated
 */
export function unseen(events, anticipated) {
  const [first, ...rest] = events;
  if (!anticipated || !first) return events;
  const isSame =
    (first.kind === "moved" && first.piece === anticipated.piece && first.to === anticipated.to) ||
    (first.kind === "stayed" && first.piece === anticipated.piece);
  return isSame ? rest : events;
}

/**
 * Whether advice is about the position that the game is in, for somebody who is asked now.
 * @param {AdviceDocument} advice
 * @param {GameState} state
 */
function isAbout({ position, side }, { view }) {
  return view?.board.position === position && view.asked.includes(side);
}

/**
 * What is said to the person now, with what it points at, and what another part of the hint says.
 * The last part names a move, and points at that.
 * @param {GameState} state
 * @returns {{ tip: (Pointer & { text: string }) | null, more: "why" | "move" | null }}
 */
export function tipOf({ advice, tips, doubted, view }) {
  if (doubted !== null) return { tip: advice?.warnings[doubted] ?? null, more: null };
  if (!advice || !tips) return { tip: null, more: null };
  const last = advice.hint.length - 1;
  const part = Math.min(tips - 1, last);
  const tip = advice.hint[part];
  if (part < last) return { tip, more: part === last - 1 ? "move" : "why" };
  const move = view?.moves.find((one) => one.move === advice.move);
  if (!move?.piece || move.from === null || move.to === null) return { tip, more: null };
  const deed = { side: advice.side === "P1" ? 1 : 2, from: move.from, to: move.to };
  return { tip: { text: tip.text, pieces: [move.piece], cells: [move.to], deed }, more: null };
}

/**
 * A move that was refused can be chosen again.
 * @param {GameState} state
 * @param {string} problem
 */
function refused(state, problem) {
  const next = { ...state, problem, anticipated: null };
  return state.offered && isNow(state, state.offered) && !state.isReady
    ? withMoves(next, true)
    : next;
}

/**
 * Take moves from now on, or none until the next position is listed.
 * @param {GameState} state
 * @param {boolean} isReady
 * @returns {GameState}
 */
function withMoves(state, isReady) {
  const moves = isReady && state.view ? state.view.moves : [];
  return { ...state, isReady, selection: select(state.selection, { type: "offer", moves }) };
}

/**
 * Whether a view is of the position that the game is in.
 * @param {GameState} state
 * @param {LiveView} view
 */
export function isNow(state, view) {
  return state.view !== null && isSamePosition(view, state.view);
}

/**
 * Whether nothing changed that a person choosing a move has to know.
 * @param {LiveView} one
 * @param {LiveView} other
 */
export function isSamePosition(one, other) {
  /** @param {LiveView} view */
  const parts = ({ turn, board, asked: who, chosen, result, you }) =>
    JSON.stringify([turn, board.position, who, chosen, result, you]);
  return parts(one) === parts(other);
}

/**
 * Whether the person here is to act.
 * @param {LiveView} view
 */
export function isAsked(view) {
  if (view.you === "both") return view.asked.length > 0;
  return view.you !== null && view.asked.includes(view.you);
}

/**
 * What the game says now, for a heading and a line below it: `Your move.`, and how often the
 * position has come up.
 * @param {LiveView} view
 * @returns {[string, string]}
 */
export function headingOf({ sentence, result, board }) {
  if (result) return [result.headline, ""];
  if (board.battle) return [sentence, ""];
  const [heading, ...others] = sentence.split(/(?<=[.?!])\s+/);
  return [heading, others.join(" ")];
}

/**
 * Whose number is to be chosen here; null if none is.
 * @param {LiveView} view
 */
export function choosingSide(view) {
  const side = view.you === "both" ? view.asked[0] : view.you;
  return side && view.numbers.length && view.asked.includes(side) ? side : null;
}

/**
 * What is asked of the person here, in order; of what the players offer each other only one thing.
 * @typedef {"undo-own" | "undo" | "stop-own" | "stop" | "stop-refused" | "stop-due" | "rematch-own" | "rematch" | "claim" | "taken-over"} Question
 * @param {LiveView} view
 * @returns {Question[]}
 */
export function questions(view) {
  const { you, undo, stop, rematch, claim, joined, result, kinds } = view;
  /** @type {Question[]} */
  const found = [];
  const isAlone = you === null || you === "both";
  const isUndo = undo.asked_by !== null && !(undo.asked_by === you && stop.offered_by);
  if (isUndo && !isAlone) found.push(undo.asked_by === you ? "undo-own" : "undo");
  else if (stop.offered_by && !isAlone) found.push(stop.offered_by === you ? "stop-own" : "stop");
  else if (stop.refused_by && stop.refused_by !== you && !isAlone) found.push("stop-refused");
  else if (stop.is_due) found.push("stop-due");
  if (rematch.offered_by.length && !rematch.id && !isAlone)
    found.push(rematch.offered_by.includes(you) ? "rematch-own" : "rematch");
  if (claim && you && joined && !result && !isAsked(view)) found.push("claim");
  if (!isAlone && kinds[you] === "computer" && !result) found.push("taken-over");
  return found;
}

/**
 * What was said between two views, by side; nothing in the first view, since that was before.
 * @param {LiveView | null} before
 * @param {LiveView} view
 */
export function newlySaid(before, view) {
  if (!before) return [];
  return SIDES.flatMap((side) => {
    const said = view.reactions?.[side];
    const count = before.reactions?.[side]?.count ?? 0;
    return said && said.count > count ? [{ side, reaction: said.reaction }] : [];
  });
}

/**
 * Whether there is somebody on another device to say something to.
 * @param {LiveView} view
 */
export function canReact({ you, joined, kinds }) {
  return (
    (you === "P1" || you === "P2") && joined && SIDES.every((side) => kinds[side] === "person")
  );
}

/**
 * Which side is on the left of the screen: your own.
 * @param {LiveView} view
 * @returns {SideId}
 */
export function leftSide({ you }) {
  return you === "P2" ? "P2" : "P1";
}

/**
 * How the game ended for the person here.
 * @param {LiveView} view
 * @returns {"won" | "lost" | "ended" | null}
 */
export function outcome({ you, result }) {
  if (!result) return null;
  if (!result.winner || you === null || you === "both") return "ended";
  return result.winner === you ? "won" : "lost";
}

/**
 * How often somebody won and lost in a series of rematches, with the game that ended last.
 * @param {{ won: number, lost: number } | undefined} series The games before it.
 * @param {string | null | undefined} how How it ended: `won`, `lost` or otherwise.
 */
export function seriesWith(series, how) {
  const { won, lost } = series ?? { won: 0, lost: 0 };
  return { won: won + Number(how === "won"), lost: lost + Number(how === "lost") };
}

/**
 * The games that a side has won in a series of rematches; null in the first one, and for those who
 * watch or play both sides.
 * @param {{ won: number, lost: number } | undefined} series The games before this one.
 * @param {LiveView} view
 * @param {SideId} side
 */
export function scoreOf(series, view, side) {
  if (!series || (view.you !== "P1" && view.you !== "P2")) return null;
  const { won, lost } = seriesWith(series, outcome(view));
  return side === view.you ? won : lost;
}

/**
 * What a player is called within a sentence.
 * @param {LiveView} view
 * @param {SideId} side
 */
function calledBy({ kinds, names }, side) {
  return kinds[side] === "computer" ? text("theComputer") : names[side];
}

/**
 * What *my games* shows of a game.
 * @param {LiveView} view
 */
export function inShort(view) {
  const other = view.you === "P1" ? "P2" : view.you === "P2" ? "P1" : null;
  return {
    title: view.title,
    game: view.game,
    over: view.result !== null,
    ended: view.result?.headline ?? "",
    outcome: outcome(view) ?? "",
    side: other && view.you,
    against: other ? calledBy(view, other) : "",
    turn: view.turn,
    yours: isAsked(view),
    deadline: view.deadline ?? 0,
    board: view.board,
  };
}

/**
 * What can be done besides moving, in order; what is `off` is shown, but not possible now.
 * @typedef {{ name: "undo" | "hint" | "coach" | "rematch" | "review" | "stop" | "resign" | "abort", off: boolean }} Action
 * @param {LiveView} view
 * @returns {Action[]}
 */
export function actions(view) {
  const { you, turn, undo, rematch, stop, joined, result, helped } = view;
  /** @type {Action[]} */
  const found = [];
  if (you && (undo.can || (turn && !result))) found.push({ name: "undo", off: !undo.can });
  if (helped && !result)
    found.push({ name: "hint", off: !isAsked(view) }, { name: "coach", off: false });
  if (you && result)
    found.push({ name: "rematch", off: you !== "both" && rematch.offered_by.includes(you) });
  if (result) found.push({ name: "review", off: false });
  if (you && !result && joined) found.push({ name: "stop", off: !stop.can });
  if (you && !result) found.push({ name: joined ? "resign" : "abort", off: false });
  return found;
}

/**
 * The seconds until a claim may be made.
 * @param {GameState} state
 * @param {number} now
 */
export function secondsToClaim({ claimableAt }, now) {
  return claimableAt === null ? 0 : Math.max(0, Math.ceil((claimableAt - now) / 1000));
}
