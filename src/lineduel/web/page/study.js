/** Any position of a game: what it is worth, what each move is worth, and how best play goes on. */

import { post, sentenceOf } from "./api.js";
import { Board } from "./board.js";
import { BoardInput } from "./board_input.js";
import { catalogue } from "./catalogue.js";
import { fill, make, say, show } from "./dom.js";
import { SIDES } from "./faces.js";
import { gamePicker } from "./game_picker.js";
import { beginGame } from "./home.js";
import { markReasons } from "./reason_marks.js";
import { go } from "./router.js";
import { text } from "./texts.js";
import { drawMeter, drawMixture } from "./value_meter.js";

/** @import { Continuation, NumberChance, ShownGame, StudiedMove, StudyDocument } from "./documents.js" */
/** @import { SideId } from "./faces.js" */

/** Where a hint begins to tell the line that has a list of its own here. */
const BEST_PLAY = /\s*Best play:/;

/**
 * @param {HTMLElement} main
 * @param {string} [id]
 */
export async function open(main, id) {
  const { games } = await catalogue();
  const game = games.find((one) => one.id === id?.split(":")[0]);
  if (!game || !id) {
    await go(`/study/${games[0].id}`, { replace: true });
    return undefined;
  }
  const page = new StudyPage(id, games);
  fill(main, page.element);
  await page.ask(new URLSearchParams(location.search).get("position"));
  return () => page.leave();
}

class StudyPage {
  /**
   * @param {string} id
   * @param {ShownGame[]} games
   */
  constructor(id, games) {
    const [game, variant] = id.split(":");
    this.rules = variant ? { game, variant } : { game };
    this.id = id;
    this.asked = 0;
    this.left = false;
    /** @type {StudyDocument | null} */
    this.shown = null;
    this.board = new Board();
    this.input = new BoardInput(
      this.board,
      (/** @type {StudiedMove} */ move) => void this.visit(move.after),
    );
    this.problem = make("p", { class: "problem", role: "alert", hidden: true });
    this.meter = make("div", { class: "meter-box" });
    this.sentence = make("p", { class: "sentence" });
    this.hint = make("p", { class: "happened" });
    this.why = make("p", { class: "why-text" });
    this.heading = make("h2", {});
    this.moves = make("div", { class: "moves" });
    this.mixture = make("div", { class: "mixtures" });
    this.line = make("ol", { class: "line" });
    this.linePanel = make(
      "section",
      { class: "panel" },
      make("h2", {}, text("bestLine")),
      this.line,
    );
    this.position = make("input", {
      type: "text",
      spellcheck: "false",
      autocomplete: "off",
      "aria-label": text("position"),
    });
    this.back = make(
      "button",
      { type: "button", class: "quiet", onclick: () => history.back() },
      text("back"),
    );
    this.element = make(
      "div",
      { class: "duel study" },
      make(
        "div",
        { class: "duel-head" },
        make("h1", { class: "duel-title" }, text("navStudy")),
        gamePicker(games, id, (chosen) => go(`/study/${chosen}`)),
        make("a", { class: "quiet-link", href: `/ladder/${id}` }, text("ladder")),
      ),
      make("div", { class: "stage" }, this.board.element),
      this.meter,
      make("div", { class: "call" }, this.sentence, this.hint),
      this.problem,
      this.actions(),
      make(
        "div",
        { class: "below" },
        make("section", { class: "panel" }, this.heading, this.moves, this.why, this.mixture),
        this.linePanel,
        this.typed(),
      ),
    );
  }

  actions() {
    return make(
      "div",
      { class: "actions" },
      this.back,
      make(
        "button",
        {
          type: "button",
          class: "quiet",
          onclick: () => this.shown && this.visit(this.shown.start),
        },
        text("toStart"),
      ),
      make(
        "button",
        { type: "button", class: "primary", onclick: () => this.playOn() },
        text("playOn"),
      ),
    );
  }

  /** Any position can be typed, or copied from here. */
  typed() {
    return make(
      "details",
      { class: "typed-position" },
      make("summary", {}, text("typePosition")),
      make(
        "form",
        {
          class: "typed position",
          onsubmit: (event) => {
            event.preventDefault();
            this.visit(this.position.value.trim());
          },
        },
        this.position,
        make("button", { type: "submit", class: "quiet" }, text("show")),
      ),
    );
  }

  /**
   * Go to another position; it is in the address, so that it can be shared and gone back to.
   * @param {string} position
   */
  visit(position) {
    history.pushState(null, "", `/study/${this.id}?position=${encodeURIComponent(position)}`);
    return this.ask(position);
  }

  /** @param {string | null} position */
  async ask(position) {
    this.asked += 1;
    const mine = this.asked;
    this.input.offer([]);
    show(this.problem, false);
    if (!this.shown) this.sentence.textContent = text("loading");
    try {
      const answer = await post("/api/study", { ...this.rules, ...(position ? { position } : {}) });
      if (mine === this.asked && !this.left) await this.present(answer);
    } catch (error) {
      if (mine !== this.asked) return;
      this.problem.textContent = sentenceOf(error);
      show(this.problem, true);
      if (!this.shown) this.sentence.textContent = "";
      else {
        const { shown } = this;
        this.input.offer(shown.moves.map((move) => toned(move, shown)));
      }
    }
  }

  /** @param {StudyDocument} answer */
  async present(answer) {
    this.shown = answer;
    this.position.value = answer.board.position;
    fill(this.meter, answer.value ? drawMeter(answer.value) : null);
    this.sentence.textContent = answer.sentence;
    this.hint.textContent = this.reason(answer);
    say(this.sentence.textContent);
    this.heading.textContent = text(answer.outcomes.length ? "battle" : "everyMove");
    this.listMoves(answer);
    const { mixture } = answer;
    fill(this.mixture, mixture && SIDES.map((side) => drawnMixture(mixture[side], side)));
    fill(
      this.line,
      ...answer.line.map((step) =>
        make(
          "li",
          {},
          make(
            "button",
            { type: "button", class: "step", onclick: () => this.visit(step.position) },
            step.text,
          ),
        ),
      ),
    );
    show(this.linePanel, answer.line.length > 0);
    this.why.textContent = "";
    markReasons(this.board, []);
    await this.board.show(answer.board);
    if (this.shown !== answer) return;
    this.input.offer(answer.moves.map((move) => toned(move, answer)));
    this.board.drawLines(this.arrows(answer));
  }

  /**
   * Why the best move is best; where no reason is known, what it is worth.
   * @param {StudyDocument} answer
   */
  reason({ moves, hint, line }) {
    const isTelling = moves.some((move) => !move.best);
    const best = moves.find((move) => isTelling && move.best && move.reasons.length);
    if (best)
      return text("bestMove", { move: this.inWords(best), reason: best.reasons[0].sentence });
    return line.length ? hint.split(BEST_PLAY)[0] : hint;
  }

  /** @param {StudyDocument} answer */
  listMoves(answer) {
    const isTelling = answer.moves.some((move) => !move.best);
    const rows = answer.moves.map((move) =>
      make(
        "button",
        {
          type: "button",
          class: move.best && isTelling ? "move valued best" : "move valued",
          onclick: () => this.visit(move.after),
          onpointerenter: () => this.look(move),
          onpointerleave: () => this.look(null),
          onfocus: () => this.look(move),
          onblur: () => this.look(null),
        },
        make("strong", {}, this.inWords(move)),
        make("span", {}, worthInWords(move)),
        move.best && isTelling ? make("span", { class: "badge" }, text("best")) : null,
      ),
    );
    fill(this.moves, ...rows, answer.outcomes.length ? this.matrix(answer) : null);
  }

  /**
   * Arrows for the best moves, unless every move is as good.
   * @param {StudyDocument} answer
   */
  arrows({ moves, board }) {
    const isTelling = moves.some((move) => !move.best);
    return moves.flatMap(({ best, from, to }) =>
      isTelling && best && from !== null && to !== null && from !== to
        ? [{ from, to, kind: `why ${board.to_move ?? "P1"}` }]
        : [],
    );
  }

  /**
   * Show where a move goes, and what its reasons are about.
   * @param {StudiedMove | null} move
   */
  look(move) {
    this.input.hint(move);
    markReasons(this.board, move?.reasons.filter((one) => one.line[0] === move.move) ?? []);
    if (!move && this.shown) this.board.drawLines(this.arrows(this.shown));
    this.why.textContent = (move?.reasons ?? []).map((one) => one.sentence).join(" ");
  }

  /**
   * A move as people read it.
   * @param {StudiedMove} move
   */
  inWords({ piece, from, to, move }) {
    if (!piece || from === null || to === null || !this.shown) return move;
    const { labels, cells } = this.shown.board;
    /** @param {number} cell */
    const label = (cell) => labels[cell - cells[0]];
    return from === to
      ? text("moveStay", { piece, cell: label(to) })
      : text("moveWay", { piece, from: label(from), cell: label(to) });
  }

  /**
   * A battle as a table of outcomes, with both mixtures at its edges.
   * @param {StudyDocument} answer
   */
  matrix({ outcomes, mixture }) {
    const found = new Map(outcomes.map((one) => [one.move, one]));
    const [rows, columns] = SIDES.map((side) => mixture?.[side] ?? []);
    return make(
      "table",
      { class: "battle-table" },
      make("caption", {}, text("matrix")),
      make(
        "thead",
        {},
        make(
          "tr",
          {},
          make("td", {}),
          ...columns.map((one) => make("th", { scope: "col", class: "P2" }, ...edge(one))),
        ),
      ),
      make(
        "tbody",
        {},
        ...rows.map((row) =>
          make(
            "tr",
            {},
            make("th", { scope: "row", class: "P1" }, ...edge(row)),
            ...columns.map((column) => {
              const one = found.get(`${row.number}:${column.number}`);
              return make("td", {}, one ? this.outcome(one) : null);
            }),
          ),
        ),
      ),
    );
  }

  /** @param {Continuation} one */
  outcome({ winner, text: told, position }) {
    return make(
      "button",
      {
        type: "button",
        class: `outcome ${winner ?? "nobody"}`,
        "aria-label": told,
        onclick: () => this.visit(position),
      },
      text(`wins-${winner ?? "nobody"}`),
    );
  }

  /** You play the side to move of the position you look at. */
  async playOn() {
    if (!this.shown) return;
    const { position, to_move: seat } = this.shown.board;
    try {
      await beginGame({ ...this.rules, position, ...(seat ? { seat } : {}) });
    } catch (error) {
      this.problem.textContent = sentenceOf(error);
      show(this.problem, true);
    }
  }

  leave() {
    this.left = true;
  }
}

/**
 * A move with the colour of its target: what the side to move can expect there.
 * @param {StudiedMove} move
 * @param {StudyDocument} shown
 */
function toned(move, { board }) {
  const sign = board.to_move === "P2" ? -1 : 1;
  const worth = (sign * (move.value[0] + move.value[1])) / 2;
  return { ...move, tone: worth > 0.001 ? "good" : worth < -0.001 ? "bad" : "even" };
}

/**
 * What a move does and leads to, and why; what it does is not said twice.
 * @param {StudiedMove} move
 */
function worthInWords({ text: does, sentence, words }) {
  return [words.includes(does) ? "" : does, sentence, words].filter(Boolean).join(", ");
}

/**
 * A number at the edge of the table, with how often best play chooses it.
 * @param {NumberChance} chance
 */
function edge({ number, chance }) {
  return [
    make("strong", {}, `${number}`),
    make("span", {}, text("percent", { percent: Math.round(chance * 100) })),
  ];
}

/**
 * @param {NumberChance[]} chances
 * @param {SideId} side
 */
function drawnMixture(chances, side) {
  return make(
    "figure",
    { class: "mixture-box" },
    drawMixture(chances, side),
    make("figcaption", {}, text("mixtureOf", { player: text(side) })),
  );
}
