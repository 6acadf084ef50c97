/** A played game judged turn by turn: the value over time, and a sentence for each mistake. */

import { get, post, sentenceOf } from "./api.js";
import { Board } from "./board.js";
import { BoardInput } from "./board_input.js";
import { draw, fill, make, say, show, wantsCalm, within } from "./dom.js";
import { go } from "./router.js";
import { remembered } from "./seats.js";
import { text } from "./texts.js";

/** @import { ReviewedMove, ReviewPageDocument } from "./documents.js" */

const WIDE = 600;
const HIGH = 120;
const PAUSE = 900;
const MISTAKES = ["?", "??"];

/**
 * @param {HTMLElement} main
 * @param {string} [id]
 */
export async function open(main, id) {
  const page = new ReviewPage();
  fill(main, page.element);
  const known = id ? remembered(id) : null;
  const token = known?.token;
  const at = Number(new URLSearchParams(location.search).get("turn")) || null;
  if (id)
    await page.read(() => get("/api/live/{id}/record", { id }, token ? { token } : {}), {
      id,
      at: at ?? (token ? null : 0),
      isShared: !token,
    });
  /** @param {KeyboardEvent} event */
  const keys = (event) => page.key(event);
  document.addEventListener("keydown", keys);
  return () => {
    page.run(false);
    document.removeEventListener("keydown", keys);
  };
}

class ReviewPage {
  constructor() {
    this.at = 0;
    /** @type {ReturnType<typeof setTimeout> | null} */
    this.timer = null;
    this.running = make(
      "button",
      { type: "button", class: "primary", onclick: () => this.run(!this.timer) },
      text("replayRun"),
    );
    this.sharing = make(
      "button",
      { type: "button", class: "quiet", hidden: true },
      text("shareResult"),
    );
    /** @type {ReviewPageDocument | null} */
    this.review = null;
    this.board = new Board();
    this.input = new BoardInput(this.board, () => {}); // to look at, cell by cell
    this.title = make("h1", { class: "duel-title" }, text("review"));
    this.problem = make("p", { class: "problem", role: "alert", hidden: true });
    this.summary = make("div", { class: "summary" });
    this.curve = make("div", { class: "curve-box" });
    this.sentence = make("p", { class: "sentence" });
    this.comment = make("p", { class: "happened" });
    this.turns = make("ol", { class: "log turns" });
    this.found = make(
      "div",
      { class: "duel", hidden: true },
      make("div", { class: "stage" }, this.board.element),
      make("div", { class: "call" }, this.sentence, this.comment),
      this.steps(),
      this.curve,
      make(
        "div",
        { class: "below" },
        make("section", { class: "panel" }, make("h2", {}, text("log")), this.turns),
        make("section", { class: "panel" }, make("h2", {}, text("summary")), this.summary),
      ),
    );
    this.element = make(
      "div",
      { class: "duel" },
      make("div", { class: "duel-head" }, this.title, this.opener()),
      this.problem,
      this.found,
    );
  }

  /** A record from a file. */
  opener() {
    const file = make("input", {
      type: "file",
      accept: ".duel,text/plain",
      class: "unseen",
      onchange: () => {
        const given = file.files?.[0];
        if (given) this.read(() => given.text());
      },
    });
    return make("label", { class: "quiet button" }, file, text("openRecord"));
  }

  steps() {
    /**
     * @param {"first" | "previous" | "next" | "last"} key
     * @param {() => number} to
     */
    const step = (key, to) =>
      make(
        "button",
        {
          type: "button",
          class: "quiet",
          onclick: () => {
            this.run(false);
            this.show(to());
          },
        },
        text(key),
      );
    return make(
      "div",
      { class: "actions" },
      step("first", () => 0),
      step("previous", () => this.at - 1),
      this.running,
      step("next", () => this.at + 1),
      step("last", () => this.review?.moves.length ?? 0),
      make(
        "button",
        { type: "button", class: "quiet", onclick: () => this.study() },
        text("studyThis"),
      ),
      this.sharing,
    );
  }

  /**
   * Let the game play itself, or stop it.
   * @param {boolean} wanted
   */
  run(wanted) {
    clearTimeout(this.timer ?? undefined);
    this.timer = null;
    this.running.textContent = text(wanted ? "replayPause" : "replayRun");
    const last = this.review?.moves.length ?? 0;
    if (!wanted || !last) return;
    const next = async () => {
      await this.show(this.at === last ? 0 : this.at + 1);
      if (!this.timer) return;
      if (this.at === last) this.run(false);
      else this.timer = setTimeout(next, PAUSE);
    };
    this.timer = setTimeout(next, 0);
  }

  /**
   * @param {() => Promise<string>} source
   * @param {{ id?: string, at?: number | null, isShared?: boolean }} [how] The turn to begin with,
   *   else the first mistake; a game that somebody shared plays itself.
   */
  async read(source, { id, at = null, isShared = false } = {}) {
    this.run(false);
    show(this.problem, false);
    let review;
    try {
      review = await post("/api/review", { record: await source() });
    } catch (error) {
      this.problem.textContent = sentenceOf(error);
      show(this.problem, true);
      return;
    }
    this.review = review;
    this.title.textContent = review.title;
    fill(
      this.summary,
      ...[review.ending, ...review.account].map((sentence) => make("p", {}, sentence)),
    );
    fill(
      this.turns,
      ...review.moves.map((turn) =>
        make(
          "li",
          { class: turn.side ?? "both", value: turn.n },
          make(
            "button",
            { type: "button", class: "step", onclick: () => this.show(turn.n) },
            turn.text,
          ),
          turn.mark ? make("span", { class: "mark" }, turn.mark) : null,
          turn.sentence ? make("p", { class: "quietly" }, turn.sentence) : null,
        ),
      ),
    );
    show(this.found, true);
    await this.board.show(review.start);
    const first = review.moves.find((turn) => MISTAKES.includes(turn.mark));
    await this.show(at ?? (first ? first.n : 0));
    this.sharing.hidden = !id;
    this.sharing.onclick = async () => {
      const [{ shareGame }, { askInMiddle }] = await Promise.all([
        import("./share.js"),
        import("./dialogs.js"),
      ]);
      const { title, ending } = review;
      askInMiddle(text("shareTitle", { title }), { inside: shareGame(id ?? "", title, ending) });
    };
    if (isShared && !wantsCalm()) this.run(true);
  }

  /**
   * Show the game after a number of turns.
   * @param {number} at
   */
  async show(at) {
    if (!this.review) return;
    const { moves: turns, start, value } = this.review;
    if (at < 0 || at > turns.length) return;
    const isNext = at === this.at + 1;
    this.at = at;
    const turn = turns[at - 1];
    this.sentence.textContent = turn ? turn.text : text("theStart");
    this.comment.textContent = turn?.sentence ?? "";
    say([this.sentence.textContent, this.comment.textContent].filter(Boolean).join(" "));
    fill(this.curve, drawCurve([value, ...turns.map((one) => one.value)], turns, at));
    for (const [index, line] of [...this.turns.children].entries())
      line.classList.toggle("now", index + 1 === at);
    await this.board.show(turn ? turn.board : start, isNext ? turn.events : []);
    this.input.offer([]);
  }

  study() {
    if (!this.review) return;
    const { position } = this.at ? this.review.moves[this.at - 1].board : this.review.start;
    go(`/study/${this.review.game}?position=${encodeURIComponent(position)}`);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (!this.review || within(event, "input, textarea, select, .board")) return;
    if (event.key === "ArrowRight") this.show(this.at + 1);
    if (event.key === "ArrowLeft") this.show(this.at - 1);
  }
}

/**
 * What player 1 could expect after each turn; mistakes have a mark.
 * @param {number[]} values
 * @param {ReviewedMove[]} turns
 * @param {number} at
 */
function drawCurve(values, turns, at) {
  /** @param {number} index */
  const x = (index) => 8 + (index * (WIDE - 16)) / Math.max(1, values.length - 1);
  /** @param {number} value */
  const y = (value) => HIGH / 2 - value * (HIGH / 2 - 22);
  const points = values.map((value, index) => `${x(index)},${y(value)}`).join(" ");
  const marks = turns
    .filter((turn) => MISTAKES.includes(turn.mark))
    .map((turn) =>
      draw(
        "text",
        {
          class: `curve-mark ${turn.side ?? ""}`,
          x: x(turn.n),
          y: y(turn.value) + (turn.value > 0 ? -6 : 14),
          "text-anchor": "middle",
        },
        turn.mark,
      ),
    );
  return draw(
    "svg",
    { class: "curve", viewBox: `0 0 ${WIDE} ${HIGH}`, role: "img", "aria-label": text("curve") },
    draw("rect", { class: "curve-P1", width: WIDE, height: HIGH / 2 }),
    draw("rect", { class: "curve-P2", y: HIGH / 2, width: WIDE, height: HIGH / 2 }),
    draw("line", { class: "curve-now", x1: x(at), x2: x(at), y1: 0, y2: HIGH }),
    draw("polyline", { class: "curve-line", points }),
    ...marks,
  );
}
