/** Puzzles: a position with one good move. The streak and the rating stay in this browser. */

import { get, post, sentenceOf } from "./api.js";
import { Board } from "./board.js";
import { BoardInput } from "./board_input.js";
import { catalogue } from "./catalogue.js";
import { fill, make, say, show } from "./dom.js";
import { MoveList } from "./move_list.js";
import { dueMistakes, noteResult } from "./own_mistakes.js";
import { markReasons } from "./reason_marks.js";
import { go } from "./router.js";
import { keep, recall } from "./settings.js";
import { text } from "./texts.js";

/** @import { PossibleMove, PuzzleAnswer, PuzzleDocument, ReasonKind, ShownGame } from "./documents.js" */

const KEY = "lineduel.puzzles";
/** How long each turn of what follows a wrong move is shown, in milliseconds. */
const PAUSE = 700;
/** Which puzzles there are: any, your mistakes, and those whose answer has one reason. */
const CHOICES = /** @type {const} */ ([
  "all",
  "own",
  "gain",
  "escape",
  "new guard",
  "race",
  "zugzwang",
  "only safe",
]);

/**
 * @param {HTMLElement} main
 * @param {string} [id]
 */
export async function open(main, id) {
  const { games } = await catalogue();
  const [name, variant] = id?.split(":") ?? [];
  const game = games.find((one) => one.id === name);
  if (!game) {
    await go(`/puzzles/${games[0].id}`, { replace: true });
    return undefined;
  }
  const page = new PuzzlePage(game, games, variant);
  fill(main, page.element);
  await page.next(new URLSearchParams(location.search).get("position"));
  return () => {
    page.left = true;
  };
}

class PuzzlePage {
  /**
   * @param {ShownGame} game
   * @param {ShownGame[]} games
   * @param {string} [variant]
   */
  constructor(game, games, variant) {
    this.rules = variant ? { game: game.id, variant } : { game: game.id };
    this.id = variant ? `${game.id}:${variant}` : game.id;
    /** @type {{ streak: number, rating?: number, answered?: string }} */
    this.kept = { streak: 0, ...recall(KEY) };
    /** @type {PuzzleDocument | null} */
    this.puzzle = null;
    this.isFirst = true;
    this.left = false;
    /** How often a puzzle was put on the board: what follows an earlier answer is not played out. */
    this.showing = 0;
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
    this.told = make("p", { class: "answer-bar", hidden: true });
    this.problem = make("p", { class: "problem", role: "alert", hidden: true });
    this.why = make("p", { class: "why-text" });
    this.choice = make(
      "select",
      {
        "aria-label": text("puzzleChoice"),
        onchange: () => {
          this.isOfDay = false;
          this.next();
        },
      },
      ...CHOICES.map((one) => make("option", { value: one }, text(`puzzles-${one}`))),
    );
    this.isOfDay = false;
    const day = new Date().toLocaleDateString(text("language"), { day: "numeric", month: "long" });
    this.daily = make(
      "button",
      {
        type: "button",
        class: "daily",
        "aria-pressed": "false",
        onclick: () => {
          this.isOfDay = true;
          this.next();
        },
      },
      make("strong", {}, text("puzzles-day")),
      make("span", {}, day),
    );
    this.another = make(
      "button",
      {
        type: "button",
        class: "primary",
        onclick: () => {
          this.isOfDay = false;
          this.next();
        },
      },
      text("nextPuzzle"),
    );
    this.again = make(
      "button",
      { type: "button", class: "primary", onclick: () => this.tryAgain() },
      text("tryAgain"),
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
      { class: "duel puzzle task-page" },
      make(
        "div",
        { class: "duel-head" },
        make("h1", { class: "duel-title" }, text("navPuzzles")),
        this.daily,
        picker,
        this.choice,
        this.score,
      ),
      make("div", { class: "task-words" }, this.sentence, this.told, this.why, this.problem),
      make("div", { class: "stage" }, this.board.element),
      make("div", { class: "row puzzle-ways" }, this.again, this.another, this.solution),
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

  /**
   * The puzzle that is asked for; null where there is none.
   * @param {string | null} position
   */
  async find(position) {
    const chosen = this.choice.value;
    if (position === null && this.isOfDay) return get("/api/puzzles/of-the-day", {});
    const [own] = chosen === "own" ? dueMistakes(this.id, Date.now()) : [];
    if (position === null && chosen === "own" && !own) return null;
    const kind = chosen === "all" || chosen === "own" ? null : /** @type {ReasonKind} */ (chosen);
    return post("/api/puzzles", {
      ...this.rules,
      position: position ?? own?.position ?? null,
      kind,
      seed: Math.floor(Math.random() * 2 ** 32),
    });
  }

  /** @param {string | null} [position] */
  async next(position = null) {
    await this.tried(async () => {
      this.puzzle = null;
      this.daily.setAttribute("aria-pressed", `${this.isOfDay}`);
      show(this.told, false);
      this.offer([]);
      this.offerWays();
      const puzzle = await this.find(position);
      if (this.left) return;
      this.why.textContent = "";
      if (!puzzle) {
        this.showing += 1;
        markReasons(this.board, []);
        this.sentence.textContent = text("noOwnMistakes");
        return;
      }
      this.puzzle = puzzle;
      const here = encodeURIComponent(puzzle.board.position);
      history.replaceState(null, "", `/puzzles/${puzzle.game}?position=${here}`);
      this.isFirst = this.kept.answered !== `${puzzle.game} ${puzzle.board.position}`;
      this.sentence.textContent = puzzle.sentence;
      say(puzzle.sentence);
      this.board.flip(puzzle.board.to_move === "P2"); // the side to move goes right
      await this.rewind(puzzle);
      this.offer(puzzle.moves);
      this.offerWays(this.solution);
    });
  }

  /** Back to the position of the puzzle. */
  async tryAgain() {
    const { puzzle } = this;
    if (!puzzle) return;
    show(this.told, false);
    this.why.textContent = "";
    await this.rewind(puzzle);
    if (this.puzzle !== puzzle) return;
    this.offer(puzzle.moves);
    this.offerWays(this.solution);
    this.board.element.querySelector("button")?.focus();
  }

  /**
   * Show the position of a puzzle; the number of this showing is returned.
   * @param {PuzzleDocument} puzzle
   */
  async rewind({ board }) {
    this.showing += 1;
    const mine = this.showing;
    markReasons(this.board, []);
    await this.board.show(board);
    return mine;
  }

  /**
   * What can be done now, the likeliest first.
   * @param {...HTMLElement} ways
   */
  offerWays(...ways) {
    for (const way of [this.again, this.another, this.solution]) show(way, ways.includes(way));
    const [first] = ways;
    for (const way of ways)
      way.className = way === first && way !== this.solution ? "primary" : "quiet";
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
      const { rating, streak } = this.kept;
      const found = await post("/api/puzzles/answer", {
        ...(puzzle.game === this.id ? this.rules : { game: puzzle.game }),
        position,
        move,
        rating,
        streak,
      });
      if (this.puzzle !== puzzle) return;
      this.offer([]);
      if (this.isFirst) {
        const answered = `${puzzle.game} ${position}`;
        this.kept = { rating: found.rating, streak: found.streak, answered };
        this.count();
        noteResult(puzzle.game, position, found.right && move !== null, Date.now());
      }
      this.isFirst = false;
      this.told.textContent = found.sentence;
      this.told.dataset.right = move === null ? "shown" : `${found.right}`;
      show(this.told, true);
      this.why.textContent = found.reason;
      say([found.sentence, found.reason].filter(Boolean).join(" "));
      if (found.solution) this.offerWays(this.another);
      else this.offerWays(this.again, this.another, this.solution);
      (found.solution ? this.another : this.again).focus({ preventScroll: true });
      await this.playOut(puzzle, found);
    });
  }

  /**
   * Show what follows an answer: the good move, or a wrong one and the reply to it.
   * @param {PuzzleDocument} puzzle
   * @param {PuzzleAnswer} found
   */
  async playOut(puzzle, found) {
    const mine = await this.rewind(puzzle);
    for (const [index, turn] of (found.solution ? [found] : found.follows).entries()) {
      if (index) await new Promise((resolve) => setTimeout(resolve, PAUSE));
      if (mine !== this.showing) return;
      await this.board.show(turn.board, turn.events);
      this.input.offer([]); // what stands where, in words
    }
    if (mine === this.showing) markReasons(this.board, found.reasons);
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
