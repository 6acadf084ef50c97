/** Puzzles: a position with one good move. The streak and the rating stay in this browser. */

import { post, sentenceOf } from "./api.js";
import { Board } from "./board.js";
import { BoardInput } from "./board_input.js";
import { catalogue } from "./catalogue.js";
import { fill, make, say, show } from "./dom.js";
import { MoveList } from "./move_list.js";
import { go } from "./router.js";
import { keep, recall } from "./settings.js";
import { text } from "./texts.js";

/** @import { PossibleMove, PuzzleDocument, ShownGame } from "./documents.js" */

const KEY = "lineduel.puzzles";

/**
 * @param {HTMLElement} main
 * @param {string} [id]
 */
export async function open(main, id) {
  const { games } = await catalogue();
  const game = games.find((one) => one.id === id);
  if (!game) {
    await go(`/puzzles/${games[0].id}`, { replace: true });
    return undefined;
  }
  const page = new PuzzlePage(game, games);
  fill(main, page.element);
  await page.next();
  return undefined;
}

class PuzzlePage {
  /**
   * @param {ShownGame} game
   * @param {ShownGame[]} games
   */
  constructor(game, games) {
    this.game = game.id;
    /** @type {{ streak: number, rating?: number }} */
    this.kept = { streak: 0, ...recall(KEY) };
    /** @type {PuzzleDocument | null} */
    this.puzzle = null;
    this.isFirst = true;
    this.board = new Board();
    this.input = new BoardInput(
      this.board,
      (/** @type {PossibleMove} */ move) => void this.answer(move.move),
    );
    this.moves = new MoveList(
      (move) => this.typed(move),
      (move) => this.input.hint(move),
    );
    this.score = make("p", { class: "score" });
    this.sentence = make("p", { class: "sentence" });
    this.told = make("p", { class: "happened" });
    this.problem = make("p", { class: "problem", role: "alert", hidden: true });
    this.another = make(
      "button",
      { type: "button", class: "primary", onclick: () => this.next() },
      text("nextPuzzle"),
    );
    this.solution = make(
      "button",
      { type: "button", class: "quiet", onclick: () => this.answer(null) },
      text("showAnswer"),
    );
    const picker = make(
      "select",
      { "aria-label": text("gameToStudy"), onchange: () => void go(`/puzzles/${picker.value}`) },
      ...games.map((one) => make("option", { value: one.id }, one.title)),
    );
    picker.value = game.id;
    this.element = make(
      "div",
      { class: "duel" },
      make(
        "div",
        { class: "duel-head" },
        make("h1", { class: "duel-title" }, text("navPuzzles")),
        picker,
        this.score,
      ),
      make("div", { class: "stage" }, this.board.element),
      make("div", { class: "call" }, this.sentence, this.told),
      this.problem,
      make("div", { class: "actions" }, this.solution, this.another),
      make("div", { class: "below" }, this.moves.element),
    );
    this.count();
  }

  count() {
    const { rating, streak } = this.kept;
    this.score.textContent =
      rating === undefined ? "" : text("score", { rating: Math.round(rating), streak });
    keep(KEY, this.kept);
  }

  async next() {
    await this.tried(async () => {
      const puzzle = await post("/api/puzzles", {
        game: this.game,
        seed: Math.floor(Math.random() * 2 ** 32),
      });
      this.puzzle = puzzle;
      this.isFirst = true;
      this.sentence.textContent = puzzle.sentence;
      this.told.textContent = "";
      say(puzzle.sentence);
      await this.board.show(puzzle.board);
      this.offer(puzzle.moves);
      show(this.another, false);
      show(this.solution, true);
    });
  }

  /**
   * A move from the list, or typed; it is taken in any case.
   * @param {string} move
   */
  typed(move) {
    this.answer(move);
    return true;
  }

  /**
   * Only the first answer counts; null asks for the answer.
   * @param {string | null} move
   */
  async answer(move) {
    const { puzzle } = this;
    if (!puzzle) return;
    await this.tried(async () => {
      const { position } = puzzle.board;
      const found = await post("/api/puzzles/answer", {
        game: this.game,
        position,
        move,
        ...this.kept,
      });
      if (this.isFirst) {
        this.kept = { rating: found.rating, streak: found.streak };
        this.count();
      }
      this.isFirst = false;
      this.told.textContent = found.sentence;
      say(found.sentence);
      await this.board.show(found.board, found.events);
      if (found.solution) {
        this.offer([]);
        show(this.another, true);
        show(this.solution, false);
        this.another.focus();
      } else {
        this.offer(puzzle.moves);
      }
    });
  }

  /** @param {PossibleMove[]} moves */
  offer(moves) {
    this.input.offer(moves);
    this.moves.show({ you: "both", result: null, moves, numbers: [], joined: true }, (cell) =>
      this.board.label(cell),
    );
    show(this.moves.element, moves.length > 0);
  }

  /** @param {() => Promise<void>} work */
  async tried(work) {
    show(this.problem, false);
    try {
      await work();
    } catch (error) {
      this.problem.textContent = sentenceOf(error);
      show(this.problem, true);
    }
  }
}
