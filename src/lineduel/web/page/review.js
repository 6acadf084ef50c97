/** A played game judged turn by turn: the value over time, and a sentence for each mistake. */

import { get, post, sentenceOf } from "./api.js";
import { Board } from "./board.js";
import { BoardInput } from "./board_input.js";
import { draw, fill, followed, make, say, show, wantsCalm, within } from "./dom.js";
import { SIDES } from "./faces.js";
import { noteMistakes } from "./own_mistakes.js";
import { markReasons } from "./reason_marks.js";
import { go } from "./router.js";
import { remembered } from "./seats.js";
import { settings } from "./settings.js";
import { text } from "./texts.js";
import { Transport } from "./transport.js";

/** @import { SideId } from "./faces.js" */
/** @import { LineStep, ReviewedMove, ReviewPageDocument } from "./documents.js" */

const WIDE = 600;
const HIGH = 100;
const PAUSE = 900;
const MISTAKES = ["?", "??"];
/** What a mark means for the result: it kept it, cost turns only, or gave something away. */
const MARKS = /** @type {const} */ ([
  ["!", "good"],
  ["?!", "slow"],
  ["?", "bad"],
  ["??", "bad"],
]);

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
      you: SIDES.find((side) => side === known?.side) ?? null,
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
    this.transport = new Transport(
      (to) => {
        this.run(false);
        const last = this.review?.moves.length ?? 0;
        this.show({ first: 0, previous: this.at - 1, next: this.at + 1, last }[to]);
      },
      (wanted) => this.run(wanted),
    );
    this.jumps = /** @type {const} */ (["previousMistake", "nextMistake"]).map((key) =>
      make(
        "button",
        {
          type: "button",
          class: "icon jump",
          "aria-label": text(key),
          title: text(key),
          onclick: () => this.jump(key === "nextMistake"),
        },
        key === "nextMistake" ? "?›" : "‹?",
      ),
    );
    this.transport.element.prepend(this.jumps[0]);
    this.transport.element.append(this.jumps[1]);
    this.sharing = make(
      "button",
      { type: "button", class: "quiet", hidden: true },
      text("shareResult"),
    );
    /** @type {ReviewPageDocument | null} */
    this.review = null;
    /** @type {SideId | null} Your side, which stands on the left as in the game. */
    this.you = null;
    this.board = new Board();
    this.input = new BoardInput(this.board, () => {}); // to look at, cell by cell
    this.title = make("h1", { class: "duel-title" }, text("review"));
    this.problem = make("p", { class: "problem", role: "alert", hidden: true });
    this.summary = make("div", { class: "summary" });
    this.curve = make("div", { class: "curve-box" });
    this.sentence = make("p", { class: "sentence" });
    this.comment = make("p", { class: "happened" });
    this.why = make("p", { class: "why-text" });
    this.better = make("ol", { class: "line" });
    this.betterPanel = make(
      "section",
      { class: "panel", hidden: true },
      make("h2", {}, text("betterPlay")),
      this.better,
    );
    this.tryIt = make(
      "button",
      { type: "button", class: "primary", hidden: true, onclick: () => this.tryYourself() },
      text("tryYourself"),
    );
    this.turns = make("ol", { class: "log turns" });
    this.found = make(
      "div",
      { class: "review-body", hidden: true },
      make(
        "div",
        { class: "duel" },
        make("div", { class: "stage" }, this.board.element),
        this.transport.element,
        this.curve,
      ),
      make(
        "div",
        { class: "review-rail" },
        make("div", { class: "call" }, this.sentence, this.why, this.comment),
        this.actions(),
        make("section", { class: "panel" }, make("h2", {}, text("log")), this.turns),
        this.betterPanel,
      ),
      make(
        "section",
        { class: "panel review-summary" },
        make("h2", {}, text("summary")),
        this.summary,
      ),
    );
    this.element = make(
      "div",
      { class: "duel review" },
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

  /**
   * To the next mistake, or to the one before.
   * @param {boolean} isLater
   */
  jump(isLater) {
    this.run(false);
    const to = isLater
      ? this.mistakes.find((n) => n > this.at)
      : this.mistakes.findLast((n) => n < this.at);
    this.show(to ?? this.at);
  }

  actions() {
    return make(
      "div",
      { class: "actions" },
      this.tryIt,
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
    this.transport.tell(wanted);
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

  /** The turns with a mistake. */
  get mistakes() {
    return (this.review?.moves ?? []).flatMap((turn) =>
      MISTAKES.includes(turn.mark) ? [turn.n] : [],
    );
  }

  /**
   * @param {() => Promise<string>} source
   * @param {object} [how]
   * @param {string} [how.id]
   * @param {number | null} [how.at] The turn to begin with, else the turning point.
   * @param {boolean} [how.isShared] A game that somebody shared plays itself.
   * @param {SideId | null} [how.you] The side whose mistakes come back as puzzles, else both.
   */
  async read(source, { id, at = null, isShared = false, you = null } = {}) {
    this.run(false);
    show(this.problem, false);
    let review;
    try {
      review = await post("/api/review", { record: await source(), you });
    } catch (error) {
      this.problem.textContent = sentenceOf(error);
      show(this.problem, true);
      return;
    }
    this.review = review;
    this.you = you;
    this.board.flip((you === "P2") !== settings.flipped);
    if (!isShared) this.note(review, you);
    this.title.textContent = review.title;
    fill(
      this.summary,
      ...[review.ending, ...review.account].map((sentence) => make("p", {}, sentence)),
      ...takeAways(review, you),
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
          marked(turn),
        ),
      ),
    );
    show(this.found, true);
    for (const jump of this.jumps) show(jump, this.mistakes.length > 0);
    await this.board.show(review.start);
    await this.show(at ?? review.turning_point ?? this.mistakes[0] ?? 0);
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
    fill(
      this.sentence,
      turn ? `${text("turnNumber", { turn: at })}: ${turn.text} ` : text("theStart"),
      turn && marked(turn),
    );
    this.why.textContent = turn?.reason ?? "";
    this.comment.textContent = turn?.sentence ?? "";
    const said = [this.sentence, this.why, this.comment].map((one) => one.textContent);
    say(said.filter(Boolean).join(" "));
    const better = turn?.better ?? [];
    fill(this.better, ...better.map((one) => this.lineStep(one)));
    show(this.betterPanel, better.length > 0);
    show(this.tryIt, better.length > 0 && !this.review.review.estimate);
    const wide = this.curve.clientWidth || WIDE;
    const { names } = this.review;
    const values = [value, ...turns.map((one) => one.value)];
    fill(this.curve, drawCurve(values, turns, { at, wide, names, you: this.you ?? "P1" }));
    for (const [index, line] of [...this.turns.children].entries())
      followed(this.turns, line, index + 1 === at);
    this.board.drawLines([]);
    markReasons(this.board, []);
    await this.board.show(turn ? turn.board : start, isNext ? turn.events : []);
    this.input.offer([]);
    if (this.at !== at) return;
    const moved = turn?.events.find((event) => event.kind === "moved");
    this.board.drawLines(moved ? [{ from: moved.from, to: moved.to, kind: moved.side }] : []);
    const reasons = this.review.review.moves[at - 1]?.reasons ?? [];
    if (turn)
      markReasons(
        this.board,
        reasons.filter((one) => one.line[0] === turn.move),
      );
  }

  /** @param {LineStep} step */
  lineStep(step) {
    const look = async () => {
      this.board.drawLines([]);
      markReasons(this.board, []);
      await this.board.show(step.board, step.events);
      this.input.offer([]);
    };
    return make(
      "li",
      {},
      make("button", { type: "button", class: "step", onclick: look }, step.text),
    );
  }

  /** The position before the turn that is shown. */
  get before() {
    if (!this.review) return "";
    return (this.review.moves[this.at - 2]?.board ?? this.review.start).position;
  }

  tryYourself() {
    if (!this.review) return;
    go(`/puzzles/${this.review.game}?position=${encodeURIComponent(this.before)}`);
  }

  /**
   * Your mistakes come back as puzzles.
   * @param {ReviewPageDocument} review
   * @param {string | null} you
   */
  note({ game, moves, start, review }, you) {
    if (review.estimate) return;
    const wrong = moves.filter((turn) => turn.better.length > 0 && (!you || turn.side === you));
    noteMistakes(
      game,
      wrong.map((turn) => (moves[turn.n - 2]?.board ?? start).position),
    );
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
 * Two or three things to learn from the game, for you, or for both sides.
 * @param {ReviewPageDocument} review
 * @param {string | null} you
 */
function takeAways({ take_aways: found, harmless, names }, you) {
  const told = SIDES.filter((side) => (!you || side === you) && found[side]?.length);
  return told.map((side) =>
    make(
      "section",
      { class: "take-aways" },
      make(
        "h3",
        {},
        harmless.includes(side)
          ? text(you ? "yourHabits" : "habits", { player: names[side] })
          : text(you ? "yourTakeAways" : "takeAways", { player: names[side] }),
      ),
      make("ul", {}, ...found[side].map((one) => make("li", {}, one))),
      harmless.includes(side) ? make("p", { class: "quietly" }, text("harmless")) : null,
    ),
  );
}

/**
 * The mark of a turn, in the colour of what it means.
 * @param {ReviewedMove} turn
 */
function marked({ mark }) {
  const [known, kind] = MARKS.find(([one]) => one === mark) ?? [];
  return known
    ? make("span", { class: `mark ${kind}`, title: text(`mark-${known}`) }, known)
    : null;
}

/**
 * How good the game was for each side after each turn, yours above; mistakes have a mark.
 * @param {number[]} values
 * @param {ReviewedMove[]} turns
 * @param {{ at: number, wide: number, names: Record<SideId, string>, you: SideId }} how
 */
function drawCurve(values, turns, { at, wide, names, you }) {
  const [top, bottom] = you === "P2" ? [...SIDES].reverse() : SIDES;
  const sign = top === "P1" ? 1 : -1;
  /** @param {number} index */
  const x = (index) => 8 + (index * (wide - 16)) / Math.max(1, values.length - 1);
  /** @param {number} value */
  const y = (value) => HIGH / 2 - sign * value * (HIGH / 2 - 22);
  const points = values.map((value, index) => `${x(index)},${y(value)}`).join(" ");
  const marks = turns
    .filter((turn) => MISTAKES.includes(turn.mark))
    .map((turn) =>
      draw(
        "text",
        {
          class: `curve-mark ${turn.side ?? ""}`,
          x: x(turn.n),
          y: y(turn.value) + (sign * turn.value > 0 ? -6 : 14),
          "text-anchor": "middle",
        },
        turn.mark,
      ),
    );
  return draw(
    "svg",
    { class: "curve", viewBox: `0 0 ${wide} ${HIGH}`, role: "img", "aria-label": text("curve") },
    draw("rect", { class: `curve-${top}`, width: wide, height: HIGH / 2 }),
    draw("rect", { class: `curve-${bottom}`, y: HIGH / 2, width: wide, height: HIGH / 2 }),
    draw("text", { class: `curve-label ${top}`, x: 8, y: 14 }, names[top]),
    draw("text", { class: `curve-label ${bottom}`, x: 8, y: HIGH - 6 }, names[bottom]),
    draw("line", { class: "curve-now", x1: x(at), x2: x(at), y1: 0, y2: HIGH }),
    draw("polyline", { class: "curve-line", points }),
    ...marks,
  );
}
