/** Lessons: texts, positions and questions; the server judges every answer exactly. */

import { get, post, sentenceOf } from "./api.js";
import { Board } from "./board.js";
import { BoardInput } from "./board_input.js";
import { fill, make, say, show } from "./dom.js";
import { markReasons } from "./reason_marks.js";
import { finishedLessons, keep, keepLesson, recall } from "./settings.js";
import { text } from "./texts.js";

/** @import { LessonAnswer, LessonDocument, LessonStepDocument, ListedLesson, PossibleMove } from "./documents.js" */

/** Where this browser keeps the step at which each lesson was left. */
const KEY = "lineduel.lesson-steps";

/** Wrong answers after which the right one is offered. */
const TRIES = 2;

/**
 * @param {HTMLElement} main
 * @param {string} [id]
 */
export async function open(main, id) {
  if (!id) {
    fill(main, make("h1", { class: "duel-title" }, text("lessons")));
    fill(main, await list());
    return undefined;
  }
  const page = new LessonPage(await get("/api/lessons/{lesson_id}", { lesson_id: id }));
  fill(main, page.element);
  const at = stepOf(id);
  await page.turnTo(at < page.lesson.steps.length ? at : 0);
  return () => page.leave();
}

/**
 * The step at which a lesson was left, from 0.
 * @param {string} id
 */
function stepOf(id) {
  const kept = new Map(Object.entries(recall(KEY) ?? {})).get(id);
  return Number.isInteger(kept) ? kept : 0;
}

async function list() {
  const lessons = await get("/api/lessons", {});
  const done = finishedLessons();
  const numbered = lessons.map((lesson, index) => ({ lesson, number: index + 1 }));
  const next =
    numbered.find(({ lesson }) => stepOf(lesson.id) > 0) ??
    numbered.find(({ lesson }) => !(lesson.id in done)) ??
    numbered[0];
  const others = numbered.filter((one) => one !== next);
  return make(
    "div",
    { class: "duel" },
    make(
      "div",
      { class: "duel-head" },
      make("h1", { class: "duel-title" }, text("lessons")),
      make(
        "p",
        { class: "score" },
        text("lessonsDone", {
          done: lessons.filter((one) => one.id in done).length,
          total: lessons.length,
        }),
      ),
    ),
    make("ul", { class: "lessons" }, card(next, true), ...others.map((one) => card(one, false))),
  );
}

/**
 * A lesson with its first position, how long it is, and how far somebody is in it.
 * @param {{ lesson: ListedLesson, number: number }} listed
 * @param {boolean} isNext Whether it is the one to go on with.
 */
function card({ lesson: { id, title, summary, steps, minutes, board }, number }, isNext) {
  const isDone = id in finishedLessons();
  const at = stepOf(id);
  const place = make("div", { class: "game-board" });
  if (board) {
    const drawn = new Board({ small: true, label: text("boardOf", { title }) });
    fill(place, drawn.element);
    drawn.show(board);
  }
  const way = at ? "goOnPlaying" : isDone ? "lessonAgain" : "toStart";
  return make(
    "li",
    { class: ["game lesson-card", isNext ? "next" : "", isDone ? "done" : ""].join(" ").trim() },
    place,
    make(
      "h2",
      { class: "card-title" },
      make("span", { class: "lesson-number", "aria-hidden": "true" }, isDone ? "✓" : `${number}`),
      make("a", { class: "card-link", href: `/lessons/${id}` }, title),
    ),
    make("p", { class: "card-summary" }, summary),
    at ? make("progress", { max: steps, value: at, "aria-label": text("lessonProgress") }) : null,
    make(
      "p",
      { class: "quietly" },
      at
        ? text("lessonCount", { at: at + 1, of: steps })
        : text("lessonLength", { steps, minutes }),
      isDone ? ` · ${text("lessonDone")}` : null,
    ),
    make(
      "div",
      { class: "game-more", "aria-hidden": "true" },
      make("span", { class: isNext ? "primary button" : "quiet button" }, text(way)),
    ),
  );
}

class LessonPage {
  /** @param {LessonDocument} lesson */
  constructor(lesson) {
    this.lesson = lesson;
    this.at = 0;
    this.left = false;
    this.board = new Board();
    this.input = new BoardInput(
      this.board,
      (/** @type {PossibleMove} */ move) => void this.answer(move.move, move),
    );
    /** Wrong answers to the present task. */
    this.wrong = 0;
    this.progress = make("progress", { "aria-label": text("lessonProgress") });
    this.counted = make("span", { class: "lesson-count" });
    this.words = make("div", { class: "lesson-text" });
    this.stage = make("div", { class: "stage" }, this.board.element);
    this.choices = make("div", { class: "pills lesson-choices" });
    this.told = make("p", { class: "answer-bar", hidden: true });
    this.help = make(
      "button",
      { type: "button", class: "quiet", hidden: true, onclick: () => this.answer(null) },
      text("showAnswer"),
    );
    this.problem = make("p", { class: "problem", role: "alert", hidden: true });
    this.next = make(
      "button",
      { type: "button", class: "primary", onclick: () => this.turnTo(this.at + 1) },
      text("lessonNext"),
    );
    this.back = make(
      "button",
      { type: "button", class: "quiet", onclick: () => this.turnTo(this.at - 1) },
      text("previous"),
    );
    this.element = make(
      "div",
      { class: "duel lesson task-page" },
      make(
        "div",
        { class: "duel-head" },
        make("h1", { class: "duel-title" }, lesson.title),
        this.progress,
        this.counted,
      ),
      make(
        "div",
        { class: "task-words" },
        this.words,
        this.choices,
        this.told,
        this.problem,
        make("div", { class: "row" }, this.back, this.help, this.next),
      ),
      this.stage,
    );
  }

  /** @returns {LessonStepDocument} */
  get step() {
    return this.lesson.steps[this.at];
  }

  /**
   * Show a step; behind the last one, the end.
   * @param {number} at
   */
  async turnTo(at) {
    const { steps, id } = this.lesson;
    show(this.told, false);
    show(this.problem, false);
    show(this.help, false);
    this.wrong = 0;
    this.input.offer([]);
    keep(KEY, { ...recall(KEY), [id]: at < steps.length ? at : 0 });
    if (at >= steps.length) {
      keepLesson(id);
      this.finish();
      return;
    }
    this.at = at;
    const { board, question, choices, moves } = this.step;
    this.progress.max = steps.length;
    this.progress.value = at + 1;
    this.counted.textContent = text("lessonCount", { at: at + 1, of: steps.length });
    fill(this.words, ...this.step.text.split("\n\n").map((part) => make("p", {}, part)));
    this.words.classList.toggle("asks", question !== null);
    say(this.step.text);
    show(this.back, at > 0);
    show(this.next, question === null);
    show(this.stage, board !== null);
    this.offer(question === null ? [] : choices);
    if (!board) return;
    await this.board.show(board);
    if (this.left || this.at !== at) return;
    markReasons(this.board, []);
    if (question === "move") this.input.offer(moves);
  }

  finish() {
    this.progress.value = this.lesson.steps.length;
    this.counted.textContent = "";
    fill(this.words, make("p", {}, text("lessonEnd")));
    say(text("lessonEnd"));
    this.offer([]);
    show(this.stage, false);
    show(this.back, false);
    show(this.next, false);
    fill(
      this.choices,
      make("a", { class: "primary button", href: "/" }, text("lessonPlay")),
      make("a", { class: "quiet button", href: "/lessons" }, text("lessons")),
    );
    show(this.choices, true);
  }

  /** @param {string[]} choices */
  offer(choices) {
    fill(
      this.choices,
      ...choices.map((choice) =>
        make(
          "button",
          { type: "button", class: "quiet", onclick: () => this.answer(choice) },
          choice,
        ),
      ),
    );
    show(this.choices, choices.length > 0);
  }

  /**
   * Ask whether an answer is right, or for the answer; a wrong move goes back.
   * @param {string | null} answer
   * @param {PossibleMove} [move]
   */
  async answer(answer, move) {
    const { at } = this;
    show(this.problem, false);
    this.input.offer([]);
    try {
      const [found] = await Promise.all([
        post(
          "/api/lessons/{lesson_id}/answer",
          { step: at, answer },
          { fields: { lesson_id: this.lesson.id } },
        ),
        move ? this.board.anticipate(move) : null,
      ]);
      if (!this.left && this.at === at) await this.judged(found, answer === null);
    } catch (error) {
      this.problem.textContent = sentenceOf(error);
      show(this.problem, true);
      this.input.offer(this.step.moves);
    }
  }

  /**
   * @param {LessonAnswer} found
   * @param {boolean} isShown Whether the answer was asked for.
   */
  async judged(found, isShown) {
    const { board, moves } = this.step;
    this.told.textContent = [found.sentence, found.then].filter(Boolean).join(" ");
    this.told.dataset.right = isShown ? "shown" : `${found.right}`;
    show(this.told, true);
    if (!found.right) this.wrong += 1;
    show(this.help, !found.right && this.wrong >= TRIES);
    say(this.told.textContent);
    if (found.board) {
      await this.board.show(
        found.board,
        isShown ? found.events : found.events.filter((event) => event.kind !== "moved"),
      );
    } else if (board) await this.board.show(board);
    markReasons(this.board, found.right ? [] : found.reasons);
    if (found.right) {
      this.offer([]);
      show(this.next, true);
      this.next.focus();
    } else this.input.offer(moves);
  }

  leave() {
    this.left = true;
  }
}
