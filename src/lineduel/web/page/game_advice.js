/** Help during a game: a hint in three parts, and the coach, who speaks before a move is played. */

import { get, sentenceOf } from "./api.js";
import { question } from "./dialogs.js";
import { fill, make, say, show, unbroken } from "./dom.js";
import { isAsked, tipOf } from "./game_state.js";
import { markReasons } from "./reason_marks.js";
import { settings } from "./settings.js";
import { text } from "./texts.js";

/** @import { Board } from "./board.js" */
/** @import { BoardInput } from "./board_input.js" */
/** @import { GameEvent, GameState } from "./game_state.js" */

/**
 * @typedef {object} AdvisedPage The page of a game that helps its player.
 * @property {string} id
 * @property {{ token: string }} known
 * @property {GameState} state
 * @property {Board} board
 * @property {BoardInput<import("./documents.js").PossibleMove>} input
 * @property {(event: GameEvent) => void} dispatch
 * @property {(move: string) => void} send Play a move, whatever the coach says.
 */

/** How much of an advice is shown at once, in characters: the board stays in sight. */
const AT_ONCE = 150;

export class GameAdvice {
  /** @param {AdvisedPage} page */
  constructor(page) {
    this.page = page;
    /** The move that the coach looks at before it is played. */
    this.considered = "";
    /** @type {{ turn: number, answer: Promise<void> } | null} */
    this.asked = null;
    this.element = make("section", { class: "advice", hidden: true });
  }

  /** Whether the coach looks at every move of this game. */
  get isCoached() {
    return settings.coach && Boolean(this.page.state.view?.helped);
  }

  /** The coach looks at a position of yours before you move. */
  lookIfAsked() {
    const { advice, isReady, view } = this.page.state;
    if (this.isCoached && isReady && !advice && view && isAsked(view)) this.look();
  }

  /**
   * Something that the coach says of itself; nothing takes it back.
   * @param {string} sentence
   */
  remark(sentence) {
    this.page.dispatch({ type: "remarked", sentence });
  }

  /** Another part of the hint. */
  hint() {
    this.page.dispatch({ type: "tip" });
    if (!this.page.state.advice) this.look();
  }

  /** Let the coach look at the position, once. */
  look() {
    const { id, known, state, dispatch } = this.page;
    const turn = state.view?.turn ?? 0;
    if (this.asked?.turn === turn) return this.asked.answer;
    const answer = get("/api/live/{id}/advice", { id }, { token: known.token }).then(
      (advice) => {
        dispatch.call(this.page, { type: "advised", advice });
        if (advice.estimate && this.isCoached) this.remark(text("coachBlind"));
      },
      (error) => dispatch.call(this.page, { type: "failed", sentence: sentenceOf(error) }),
    );
    this.asked = { turn, answer };
    return answer.finally(() => {
      if (this.asked?.answer === answer) this.asked = null;
    });
  }

  /**
   * Play a move, unless the coach has something to say about it.
   * @param {string} move
   */
  async consider(move) {
    const { page } = this;
    const turn = page.state.view?.turn;
    this.considered = move;
    if (page.state.remark) this.remark("");
    if (!page.state.advice) await this.look();
    const { advice, isReady, view } = page.state;
    if (this.considered !== move || !isReady || view?.turn !== turn) return;
    if (advice && !advice.warnings[move]) page.send(move);
    else page.dispatch({ type: "doubted", move });
  }

  /**
   * Show what has changed of it.
   * @param {GameState} before
   * @param {GameState} state
   */
  render(before, state) {
    if (state.isReady && !before.isReady) this.lookIfAsked();
    if (state.advice !== before.advice) this.worry();
    const isSame =
      state.advice === before.advice &&
      state.tips === before.tips &&
      state.remark === before.remark &&
      state.doubted === before.doubted &&
      state.problem === before.problem;
    if (!isSame) this.show(state);
  }

  /** Pieces in danger look worried, but only with the coach: that is a hint. */
  worry() {
    const { board, input, state } = this.page;
    board.worry(this.isCoached ? (state.advice?.threatened ?? []) : []);
    input.refresh();
  }

  /** @param {GameState} state */
  show(state) {
    const { element, page } = this;
    const hadFocus = element.contains(document.activeElement);
    const { tip, more } = tipOf(state);
    markReasons(page.board, tip ? [tip] : []);
    if (state.doubted !== null) this.warn(state.doubted, tip?.text ?? text("coachSilent"));
    else if (tip) this.tell(tip.text, more);
    else if (state.remark) this.tell(state.remark, null);
    else if (state.tips && !state.problem) fill(element, question(text("loading")));
    else fill(element);
    show(element, element.childElementCount > 0);
    element.setAttribute(
      "aria-label",
      text(state.doubted !== null || state.remark ? "coach" : "hint"),
    );
    if (element.hidden) {
      if (hadFocus) page.input.focus();
      return;
    }
    if (hadFocus || state.doubted !== null) element.querySelector("button")?.focus();
    element.scrollIntoView({ block: "nearest" });
  }

  /**
   * @param {string} move
   * @param {string} sentence
   */
  warn(move, sentence) {
    const { page } = this;
    const close = () => page.dispatch({ type: "doubted", move: null });
    say(sentence);
    fill(
      this.element,
      question(
        folded(sentence),
        [text("otherMove"), close],
        [text("playAnyway"), () => page.send(move)],
      ),
    );
  }

  /**
   * @param {string} sentence
   * @param {"why" | "move" | null} more What another part would say.
   */
  tell(sentence, more) {
    const { page } = this;
    /** @type {[string, () => unknown][]} */
    const answers = more ? [[text(`hint-${more}`), () => this.hint()]] : [];
    say(sentence);
    fill(
      this.element,
      question(folded(sentence), ...answers, [
        text("close"),
        () => page.dispatch({ type: "untip" }),
      ]),
    );
  }
}

/**
 * The first sentences of an advice, and the others on request.
 * @param {string} advice
 */
function folded(advice) {
  const [first, ...others] = advice.split(/(?<=[.?!])\s+/);
  let shown = first;
  while (others.length && shown.length + others[0].length < AT_ONCE) shown += ` ${others.shift()}`;
  return make(
    "div",
    { class: "advice-words" },
    make("p", {}, unbroken(shown)),
    others.length
      ? make("details", {}, make("summary", {}, text("wholeReason")), unbroken(others.join(" ")))
      : null,
  );
}
