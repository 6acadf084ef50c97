/** A live game: the board is the page. */

import { get, sentenceOf } from "./api.js";
import { notify, showTurn, sound } from "./attention.js";
import { Battle } from "./battle.js";
import { Board } from "./board.js";
import { BoardInput } from "./board_input.js";
import { catalogue } from "./catalogue.js";
import { askInMiddle, question } from "./dialogs.js";
import { draw, fill, make, say, show, unbroken, wantsCalm, within } from "./dom.js";
import { drawLogo, SIDES } from "./faces.js";
import { GameAdvice } from "./game_advice.js";
import {
  actions,
  canReact,
  headingOf,
  inShort,
  isAsked,
  isNow,
  isSamePosition,
  leftSide,
  newlySaid,
  outcome,
  questions,
  reduce,
  START,
  scoreOf,
  secondsToClaim,
  seriesWith,
  unseen,
} from "./game_state.js";
import { beginGame } from "./home.js";
import { Live } from "./live.js";
import { notice } from "./missing.js";
import { MoveList } from "./move_list.js";
import { dayAndTime } from "./my_games.js";
import { nameOf, PlayerPlate } from "./player_plate.js";
import { ResultCard } from "./result_card.js";
import { go } from "./router.js";
import { forget, remember, remembered, takeToken } from "./seats.js";
import { LONGEST_NAME, set, settings } from "./settings.js";
import { isOnlyHere, linkTo, shareGame, shareLink } from "./share.js";
import { text } from "./texts.js";

/** @import { BoardPiece, ClaimState, EventDocument, LiveView, Request, RulebookPage } from "./documents.js" */
/** @import { Action, GameEvent, GameState, Question } from "./game_state.js" */
/** @import { Known } from "./seats.js" */

/**
 * @param {HTMLElement} main
 * @param {string} [id]
 */
export function open(main, id = "") {
  takeToken(id);
  const known = remembered(id);
  if (!known?.token && isFinished(id)) return void go(`/replay/${id}`, { replace: true });
  if (!known?.token) {
    fill(main, notice(text("noSeat"), text("noSeatHelp")));
    return undefined;
  }
  const page = new GamePage(id, { ...known, token: known.token });
  fill(main, page.element);
  document.documentElement.classList.add("playing");
  return () => {
    document.documentElement.classList.remove("playing");
    page.leave();
  };
}

/** The command that opens a server to the network. */
const COMMAND = "lineduel serve --host 0.0.0.0";
/** How long the winning move is looked at before the result is said, in milliseconds. */
const MOMENT = 900;
/** What stands between the parts of a line of the log. */
const LOG_GAP = "  ";
/** What is drawn on the controls, as paths in a square of 20. */
const SIGNS = {
  undo: "M8 4 4 8l4 4M4 8h8a4.5 4.5 0 0 1 0 9H8",
  hint: "M8 15h4M8.5 18h3M7.5 15c0-2.5-2.5-3.5-2.5-7a5 5 0 0 1 10 0c0 3.5-2.5 4.5-2.5 7",
  coach: "M3 10q7-9 14 0-7 9-14 0m4.5 0a2.5 2.5 0 1 0 5 0 2.5 2.5 0 1 0-5 0",
  rules: "M10 5.5Q7 3 3 3.5v12q4-.5 7 2 3-2.5 7-2v-12q-4-.5-7 2v12",
  say: "M3 4h14v9H9l-4 4v-4H3z",
  others: "M3 3h6v6H3zM11 3h6v6h-6zM3 11h6v6H3zM11 11h6v6h-6z",
  more: "M3.5 10h1M9.5 10h1M15.5 10h1",
};
/** What can be said to a friend. */
const REACTIONS = /** @type {const} */ ([
  "hello",
  "good-move",
  "wow",
  "oops",
  "thinking",
  "good-game",
]);

class GamePage {
  /**
   * @param {string} id
   * @param {Known & { token: string }} known
   */
  constructor(id, known) {
    this.id = id;
    this.known = known;
    this.state = START;
    this.left = false;
    /** What is being shown: one view after the other. */
    this.busy = Promise.resolve();
    /** A move of yours that is on its way on the board. */
    this.gliding = Promise.resolve();
    /** @type {RulebookPage | null} */
    this.rules = null;
    this.hadFocusOnMoves = false;
    this.logged = "";
    this.asked = "";
    this.acted = "";
    this.board = new Board();
    this.board.getReady();
    this.input = new BoardInput(this.board, (move) => this.play(move.move), this);
    this.battle = new Battle(
      (number, side) =>
        this.askInTurn({
          do: "number",
          number,
          ...(this.state.view?.you === "both" ? { side } : {}),
        }),
      (side) => this.dispatch({ type: "ready", side }),
    );
    this.advice = new GameAdvice(this);
    this.title = make("h1", { class: "duel-title" });
    this.goal = make("p", { class: "goal" });
    this.result = new ResultCard();
    this.plates = { P1: new PlayerPlate("P1"), P2: new PlayerPlate("P2") };
    this.line = make("p", { class: "connection", role: "status", hidden: true });
    this.problem = make("p", { class: "problem", role: "alert", hidden: true });
    this.sentence = make("p", { class: "sentence" });
    this.happened = make("p", { class: "happened" });
    this.questions = make("div", { class: "questions" });
    this.introduction = make("form", { class: "question introduction", hidden: true });
    this.invitation = make("section", {
      class: "invitation",
      hidden: true,
      "aria-label": text("invite"),
    });
    this.moves = new MoveList(
      (move) => this.play(move),
      (move) => this.input.hint(move),
    );
    this.logTitle = make("h2", {}, text("log"));
    this.log = make("ol", { class: "log", tabindex: 0, "aria-label": text("log") });
    this.actions = make("div", { class: "actions" });
    this.boardText = make("p", { class: "board-text" });
    this.claimLeft = make("span", { class: "left" });
    this.stage = make(
      "div",
      { class: "stage" },
      this.board.element,
      this.invitation,
      this.battle.element,
      make("div", { class: "bubble" }, this.problem, this.advice.element),
    );
    this.deadline = make("p", { class: "deadline" });
    this.call = make("div", { class: "call" }, this.sentence, this.happened, this.deadline);
    this.scoreboard = make("div", { class: "scoreboard" });
    /** @type {HTMLButtonElement[]} */
    this.claimButtons = [];
    this.element = make(
      "div",
      { class: "duel game-page" },
      this.line,
      make(
        "div",
        { class: "duel-head" },
        make("a", { class: "back", href: "/", "aria-label": text("home") }, drawLogo()),
        make("div", { class: "head-words" }, this.title, this.goal),
        soundSwitch(),
      ),
      this.scoreboard,
      this.stage,
      make("div", { class: "asks" }, this.introduction, this.questions, this.result.element),
      this.actions,
      make(
        "div",
        { class: "rail" },
        this.moves.element,
        make("section", { class: "panel" }, this.logTitle, this.log),
        make(
          "details",
          { class: "panel more" },
          make("summary", {}, text("asText")),
          this.boardText,
          legend(),
        ),
      ),
    );
    /** @param {KeyboardEvent} event */
    this.keys = (event) => this.key(event);
    document.addEventListener("keydown", this.keys);
    this.clock = setInterval(() => this.countDown(), 1000);
    this.connection(this.state);
    this.live = new Live(id, known, this);
  }

  get selection() {
    return this.state.selection;
  }

  /**
   * Something happened: show what it changes.
   * @param {GameEvent} event
   */
  dispatch(event) {
    const before = this.state;
    this.state = reduce(before, event);
    this.render(before, this.state);
  }

  /**
   * @param {GameState} before
   * @param {GameState} state
   */
  render(before, state) {
    if (state.connection !== before.connection) this.connection(state);
    if (state.problem !== before.problem) {
      this.problem.textContent = state.problem;
      show(this.problem, state.problem !== "");
    }
    if (state.note !== before.note && state.shown) {
      this.tellHappened(state.shown);
      say(state.note);
    }
    if (state.ended !== before.ended && state.ended !== null) this.ended(state.ended);
    if (state.anticipated !== before.anticipated) this.anticipate(before, state);
    if (state.selection.moves !== before.selection.moves) {
      this.moves.enable(state.isReady);
      this.input.offered();
    }
    if (state.ready && state.ready !== before.ready && state.shown)
      this.battle.show(state.shown, state);
    if (state.view && state.view !== before.view) this.arrived(before.view, state.view);
    this.advice.render(before, state);
  }

  /**
   * A view came in: show what happened since the last one, one after the other.
   * @param {LiveView | null} before
   * @param {LiveView} view
   */
  arrived(before, view) {
    if (!before) this.enter(view);
    for (const { side, reaction } of newlySaid(before, view)) {
      const words = text(`say-${reaction}`);
      this.plates[side].say(words);
      if (side !== view.you) say(text("hasSaid", { name: nameOf(view, side), words }));
    }
    if (before && isSamePosition(before, view)) {
      this.busy = this.busy.then(() => this.presentAround(view));
      return;
    }
    const isNext = before && view.turn > before.turn && view.turn <= before.turn + 2;
    const events = isNext && view.last ? view.last.events : [];
    this.busy = this.busy.then(() => this.present(view, events, before));
  }

  /**
   * A move of yours is shown at once, and put right if it is not played after all.
   * @param {GameState} before
   * @param {GameState} state
   */
  anticipate(before, { anticipated, shown, view }) {
    if (anticipated) {
      this.gliding = this.board.anticipate(anticipated);
    } else if (before.anticipated && shown && view && isSamePosition(shown, view)) {
      this.board.show(view.board);
    }
  }

  /**
   * The first view: your side is on the left, an invitation has become a seat.
   * @param {LiveView} view
   */
  enter(view) {
    this.board.flipped = this.isFlipped(view);
    const left = leftSide(view);
    const right = left === "P1" ? "P2" : "P1";
    fill(this.scoreboard, this.plates[left].element, this.call, this.plates[right].element);
    this.learnRules(view);
    if (this.known.invitation && (view.you === "P1" || view.you === "P2")) this.introduce();
  }

  /** @param {LiveView} view */
  isFlipped(view) {
    return (leftSide(view) === "P2") !== settings.flipped;
  }

  /** A friend who comes by link is asked for a name, once. */
  introduce() {
    if (settings.name) this.ask({ do: "name", name: settings.name });
    else if (!this.known.introduced) this.askName();
  }

  /** The question stands below the board, and is in nobody's way. */
  askName() {
    const field = nameField();
    /** @param {string} name */
    const done = (name) => {
      remember(this.id, { introduced: true });
      show(this.introduction, false);
      this.callMe(name);
    };
    field.placeholder = text("yourName");
    const title = this.state.view?.title ?? "";
    fill(
      this.introduction,
      make("p", {}, text("invitedYou", { name: this.otherName(), title })),
      field,
      make("button", { class: "primary" }, text("save")),
      make("button", { type: "button", class: "quiet", onclick: () => done("") }, text("notNow")),
    );
    this.introduction.addEventListener("submit", (event) => {
      event.preventDefault();
      done(field.value.trim());
    });
    show(this.introduction, true);
  }

  /** @param {string} name */
  callMe(name) {
    if (!name) return;
    set("name", name);
    this.ask({ do: "name", name });
  }

  /** @param {LiveView} view */
  async learnRules(view) {
    const { id, known } = this;
    try {
      this.rules = await get("/api/live/{id}/rules", { id }, { token: known.token });
    } catch {
      return; // the button asks again
    }
    this.battle.explain(this.rules.rulebook.battle);
    this.element.classList.toggle("with-battles", Boolean(this.rules.rulebook.battle));
    const { you } = view;
    this.goal.textContent =
      you === "P1" || you === "P2" ? this.rules.goals[you] : this.rules.summary;
  }

  async showRules() {
    const { view } = this.state;
    if (!view) return;
    if (!this.rules) await this.learnRules(view);
    if (!this.rules) return;
    const { rulesSheet } = await import("./rules_sheet.js");
    const inside = rulesSheet(this.rules, view.you === "P2" ? "P2" : "P1");
    askInMiddle(text("rulesOf", { title: view.title }), { inside });
  }

  /**
   * Only names, presence or questions changed: nobody who is choosing a move is disturbed.
   * @param {LiveView} view
   */
  presentAround(view) {
    if (this.left) return;
    this.dispatch({ type: "shown", view });
    this.frame(view);
  }

  /**
   * @param {LiveView} view
   * @param {EventDocument[]} events
   * @param {LiveView | null} before
   */
  async present(view, events, before) {
    const isOld = this.state.view && view.turn < this.state.view.turn - 1;
    if (this.left || isOld) return;
    const { anticipated } = this.state;
    await this.gliding;
    if (this.left) return;
    this.dispatch({ type: "shown", view });
    const happened = view.last?.sentence ?? "";
    const settled = events.find((event) => event.kind === "revealed");
    if (!before) this.frame(view);
    if (settled) {
      this.moves.clear();
      this.sentence.textContent = this.outcomeOf(settled, view);
      await this.battle.reveal(settled, happened);
      if (this.left) return;
    }
    if (events.length) this.noise(events);
    this.board.drawLines([]);
    await this.board.show(view.board, unseen(events, anticipated));
    if (this.left) return;
    this.mark(view);
    if (view.result && before && !wantsCalm()) await pause(MOMENT);
    if (this.left) return;
    this.frame(view);
    if (before && !before.result && outcome(view) === "won") this.celebrate();
    this.tell(before, view, events.length && !settled ? happened : "");
    this.battle.show(view, this.state);
    if (!isNow(this.state, view)) return;
    this.moves.show(view, (cell) => this.board.label(cell));
    this.dispatch({ type: "listed", view });
    if (this.hadFocusOnMoves) {
      this.hadFocusOnMoves = false;
      if (!this.moves.focus()) this.input.focus();
    }
  }

  /**
   * Who won a battle, and by which numbers.
   * @param {import("./documents.js").RevealedEvent} battle
   * @param {LiveView} view
   */
  outcomeOf({ side, numbers }, view) {
    if (!side) return text("battleTied", { number: numbers.P1 });
    const other = side === "P1" ? "P2" : "P1";
    const fields = { number: numbers[side], other: numbers[other] };
    return view.you === side
      ? text("battleYours", fields)
      : text("battleTheirs", { name: nameOf(view, side), ...fields });
  }

  /**
   * Everything around the board.
   * @param {LiveView} view
   */
  frame(view) {
    this.title.textContent = view.title;
    this.note(view);
    for (const side of SIDES) this.plates[side].show(view, scoreOf(this.known.series, view, side));
    this.sentence.textContent = headingOf(view)[0];
    this.logTitle.textContent = text(view.result ? "logOver" : "log");
    this.element.classList.toggle("over", Boolean(view.result));
    this.element.dataset.outcome = outcome(view) ?? "";
    this.tellHappened(view);
    const isYours = isAsked(view);
    this.element.classList.toggle("yours", isYours);
    showTurn(view.title, view.sentence, isYours && view.you !== "both");
    this.fillLog(view);
    this.fillQuestions(view);
    this.fillActions(view);
    this.fillInvitation(view);
    this.fillResult(view);
    this.boardText.textContent = boardInWords(view);
    this.deadline.textContent = view.deadline
      ? text("until", { time: dayAndTime(view.deadline) })
      : "";
  }

  /**
   * What happened last, or why a click did nothing.
   * @param {LiveView} view
   */
  tellHappened(view) {
    const { note } = this.state;
    this.happened.classList.toggle("note", note !== "");
    const happened = view.result ? view.result.how : (view.last?.sentence ?? this.greeting(view));
    const told = note || [happened, headingOf(view)[1]].filter(Boolean).join(" ");
    fill(this.happened, unbroken(told));
  }

  /**
   * A click where nothing can be done gets an answer.
   * @param {string} sentence Why, as far as the moves tell; empty while there are none.
   * @param {number} cell
   */
  refused(sentence, cell) {
    const { view } = this.state;
    if (!view?.you || view.result || !view.joined || this.state.anticipated) return;
    const why = sentence || text(view.numbers.length ? "chooseAbove" : "waitForOther");
    this.board.shake(cell);
    this.dispatch({ type: "noted", sentence: why });
  }

  /**
   * What is said before the first move of a rematch: that the seats are swapped.
   * @param {LiveView} view
   */
  greeting({ you }) {
    if (!this.known.again || (you !== "P1" && you !== "P2")) return "";
    return text("swapped", { side: text(you) });
  }

  /**
   * Keep what *my games* shows.
   * @param {LiveView} view
   */
  note(view) {
    remember(this.id, inShort(view));
  }

  /**
   * Marks that stay: where the last move went, an open battle, the winning cell, who is dizzy.
   * @param {LiveView} view
   */
  mark(view) {
    const events = view.last?.events ?? [];
    const moved = events.find((event) => event.kind === "moved");
    const won = view.result ? events.find((event) => event.kind === "won") : undefined;
    const home = events.flatMap((event) => (event.kind === "sent_home" ? [event.piece] : []));
    const winner = view.result?.winner;
    const isBeaten = (/** @type {BoardPiece} */ { side, at }) =>
      winner && side !== winner && at !== null && at === won?.cell;
    this.board.drawLines(moved ? [{ from: moved.from, to: moved.to, kind: moved.side }] : []);
    for (const [cell, element] of this.board.cells) {
      element.classList.toggle("fight", view.board.battle?.cell === cell);
      element.classList.toggle("won", won?.cell === cell);
    }
    for (const [name, piece] of this.board.pieces) {
      piece.element.classList.toggle("dizzy", home.includes(name) || Boolean(isBeaten(piece)));
      piece.element.classList.toggle("sad", Boolean(winner) && piece.side !== winner);
    }
  }

  /**
   * The end has a card of its own: how well it was played, and what to do next.
   * @param {LiveView} view
   */
  fillResult(view) {
    const wasHidden = this.result.element.hidden;
    show(this.result.element, Boolean(view.result));
    if (!view.result) return;
    const isOffered = questions(view).includes("rematch"); // its answer has a button already
    this.result.show([
      ...actions(view)
        .filter(({ name }) => name === "review" || (name === "rematch" && !isOffered))
        .map((one) => this.action(one)),
      button("share", text("shareResult"), () => this.shareGame(view)),
    ]);
    if (wasHidden) {
      this.result.judge(view, this.known.token);
      this.offerNext(view);
      this.result.element.scrollIntoView({ block: "nearest", behavior: "smooth" });
    }
  }

  /**
   * After a game against the computer: a stronger level after a win, a weaker one after a loss.
   * @param {LiveView} view
   */
  async offerNext(view) {
    const { begun } = this.known;
    const how = outcome(view);
    const { opponents } = await catalogue().catch(() => ({ opponents: [] }));
    const at = opponents.findIndex((one) => one.id === begun?.opponent);
    const next = at < 0 ? undefined : opponents[how === "won" ? at + 1 : at - 1];
    if (!begun || !next || how === "ended" || this.left) return;
    const begin = () => {
      set("opponent", next.id);
      beginGame({ ...begun, opponent: next.id }).catch((error) =>
        this.dispatch({ type: "failed", sentence: sentenceOf(error) }),
      );
    };
    const [, number] = next.id.split(":");
    const label = number ? text("tryLevel", { number }) : text("tryPerfect");
    this.result.offer(button("next", label, begin));
  }

  /** The winner's moment. */
  async celebrate() {
    const { celebrate } = await import("./celebration.js");
    if (!this.left) celebrate(this.stage);
  }

  /** @param {LiveView} view */
  fillLog({ log }) {
    const key = `${log.length} ${log.at(-1)?.n}`;
    if (key === this.logged) return;
    this.logged = key;
    fill(
      this.log,
      log.map((line) =>
        make(
          "li",
          { class: line.side ?? "both", value: line.n },
          unbroken(line.text.replaceAll(LOG_GAP, ", ")),
        ),
      ),
    );
    this.log.scrollTop = this.log.scrollHeight;
    this.log.classList.toggle("has-more", this.log.scrollTop > 0);
  }

  /**
   * What the other side asks, and what can be done about an absent one.
   * @param {LiveView} view
   */
  fillQuestions(view) {
    const { undo, stop, rematch, claim, kinds } = view;
    const key = JSON.stringify([undo, stop, rematch, claim, kinds, questions(view)]);
    if (key === this.asked) return;
    this.asked = key;
    this.claimButtons = [];
    fill(
      this.questions,
      questions(view).map((one) => this.question(one, view)),
    );
    if (view.rematch.id) this.follow(view.rematch.id);
  }

  /**
   * @param {Question} kind
   * @param {LiveView} view
   */
  question(kind, { undo, stop, claim }) {
    /** @param {boolean} yes */
    const answer = (yes) => () => this.ask({ do: "undo-answer", yes, to: undo.to });
    /** @param {boolean} yes */
    const answerStop = (yes) => () => this.ask({ do: "stop-answer", yes });
    switch (kind) {
      case "undo-own":
        return question(undo.sentence, [text("withdraw"), answer(false)]);
      case "undo":
        return question(
          undo.sentence,
          [text("allow"), answer(true)],
          [text("refuse"), answer(false)],
        );
      case "stop-own":
        return question(stop.sentence, [text("withdraw"), answerStop(false)]);
      case "stop":
        return question(
          stop.sentence,
          [text("stopAgree"), answerStop(true)],
          [text("stopPlayOn"), answerStop(false)],
        );
      case "stop-refused":
        return question(stop.sentence);
      case "stop-due":
        return question(text("inCircles"), [
          text(this.state.view?.you === "both" ? "stopHere" : "offerStop"),
          () => this.offerStop(),
        ]);
      case "rematch-own":
        return question(text("rematchWaiting"));
      case "rematch":
        return question(text("rematchOffered", { name: this.otherName() }), [
          text("rematchAccept"),
          () => this.ask({ do: "rematch" }),
        ]);
      case "claim":
        return claim && this.claim(claim);
      case "taken-over":
        return question(text("takenOver"), [
          text("takeBackSeat"),
          () => this.ask({ do: "return" }),
        ]);
    }
  }

  /** Whom you play, by name. */
  otherName() {
    const { view } = this.state;
    return view ? nameOf(view, view.you === "P1" ? "P2" : "P1") : "";
  }

  /** @param {ClaimState} claim */
  claim(claim) {
    this.claimButtons = claim.can.map((what) =>
      make(
        "button",
        { type: "button", class: "quiet", onclick: () => this.ask({ do: "claim", claim: what }) },
        text(`claim-${what}`),
      ),
    );
    this.countDown();
    return make(
      "div",
      { class: "question" },
      make("p", {}, claim.sentence, " ", this.claimLeft),
      make("div", { class: "row" }, this.claimButtons),
    );
  }

  countDown() {
    const left = secondsToClaim(this.state, Date.now());
    for (const button of this.claimButtons) show(button, left === 0);
    this.claimLeft.textContent = left ? text("secondsLeft", { seconds: left }) : "";
  }

  /**
   * The game that was agreed on as a rematch; the same token opens it.
   * @param {string} id
   */
  follow(id) {
    if (this.left) return;
    const { token, spectator, begun } = this.known;
    const { view } = this.state;
    const series = seriesWith(this.known.series, view && outcome(view));
    remember(id, { token, spectator, again: true, series, ...(begun ? { begun } : {}) });
    go(`/game/${id}`);
  }

  /** @param {LiveView} view */
  fillActions(view) {
    const found = actions(view);
    const hasName = view.you === "P1" || view.you === "P2";
    const key = JSON.stringify([
      found,
      hasName,
      Boolean(view.result),
      settings.coach,
      canReact(view),
    ]);
    if (key === this.acted) return;
    this.acted = key;
    const bar = found.filter(
      ({ name }) => ["undo", "hint", "coach"].includes(name) && !view.result,
    );
    const rare = found.filter(({ name }) => ["stop", "resign", "abort"].includes(name));
    const more = [
      ...rare.map((one) => this.action(one)),
      button("flip", text("flip"), () => this.flip()),
      hasName ? button("name", text("changeName"), () => this.rename()) : null,
      this.known.spectator ? button("watch", text("watchLink"), () => this.showWatchLink()) : null,
      button("record", text("record"), () => this.download()),
      hasName && !view.helped ? make("p", { class: "quietly" }, text("noHints")) : null,
    ];
    const { activeElement } = document;
    const focused =
      activeElement instanceof HTMLElement && this.actions.contains(activeElement)
        ? activeElement.dataset.action
        : undefined;
    const menu = make(
      "details",
      { class: "menu" },
      make("summary", { class: "quiet" }, sign(SIGNS.more), text("more")),
      make("div", { class: "menu-body" }, more),
    );
    fill(
      this.actions,
      bar.map((one) => this.action(one)),
      canReact(view) ? this.reactions() : null,
      button("rules", text("rules"), () => this.showRules(), SIGNS.rules),
      view.result
        ? make("a", { class: "quiet button", href: "/" }, sign(SIGNS.others), text("newGame"))
        : null,
      menu,
    );
    if (!focused) return;
    const same = [...this.actions.querySelectorAll("button")].find(
      (one) => one.dataset.action === focused,
    );
    if (same) same.focus();
    else this.input.focus();
  }

  /** A few things to say to a friend; there are no other words. */
  reactions() {
    const menu = make(
      "details",
      { class: "menu say" },
      make("summary", { class: "quiet" }, sign(SIGNS.say), text("sayIt")),
      make(
        "div",
        { class: "menu-body" },
        REACTIONS.map((reaction) =>
          button(`say-${reaction}`, text(`say-${reaction}`), () => {
            menu.open = false;
            this.ask({ do: "react", reaction });
          }),
        ),
      ),
    );
    return menu;
  }

  /** @param {Action} action */
  action({ name, off }) {
    switch (name) {
      case "undo":
        return button(name, text("undo"), off ? null : () => this.ask({ do: "undo" }), SIGNS.undo);
      case "hint":
        return button(name, text("hint"), off ? null : () => this.advice.hint(), SIGNS.hint);
      case "coach": {
        const one = button(name, text("coach"), () => this.switchCoach(), SIGNS.coach);
        one.setAttribute("aria-pressed", `${settings.coach}`);
        return one;
      }
      case "rematch":
        return button(name, text("rematch"), off ? null : () => this.ask({ do: "rematch" }));
      case "review":
        return button(name, text("review"), () => go(`/review/${this.id}`));
      case "stop": {
        const label = text(this.state.view?.you === "both" ? "stopHere" : "offerStop");
        return button(name, label, off ? null : () => this.offerStop());
      }
      case "resign":
        return button(name, text("resign"), () => this.resign());
      case "abort":
        return button(name, text("claim-abort"), () => this.ask({ do: "claim", claim: "abort" }));
    }
  }

  switchCoach() {
    set("coach", !settings.coach);
    const { view } = this.state;
    if (view) this.fillActions(view);
    this.advice.worry();
    if (settings.coach) this.advice.remark(text("coachOn"));
    else {
      say(text("coachOff"));
      this.dispatch({ type: "doubted", move: null });
    }
    this.advice.lookIfAsked();
  }

  flip() {
    const { shown } = this.state;
    if (!shown) return;
    set("flipped", !settings.flipped);
    this.board.flip(this.isFlipped(shown));
    this.mark(shown);
  }

  offerStop() {
    if (this.state.view?.you !== "both") this.ask({ do: "stop" });
    else
      askInMiddle(text("stopSure"), {
        yes: text("stopHere"),
        agreed: () => this.ask({ do: "stop" }),
      });
  }

  resign() {
    askInMiddle(text("resignSure"), {
      yes: text("resign"),
      agreed: () => this.ask({ do: "resign" }),
    });
  }

  rename() {
    const field = nameField();
    const agreed = () => this.callMe(field.value.trim());
    askInMiddle(text("yourName"), { yes: text("save"), agreed, inside: field });
  }

  /**
   * The finished game as a link that replays it, and as a picture.
   * @param {LiveView} view
   */
  shareGame({ title, result }) {
    const inside = shareGame(this.id, title, result?.sentence ?? "");
    askInMiddle(text("shareTitle", { title }), { inside });
  }

  showWatchLink() {
    const link = linkTo(this.id, this.known.spectator ?? "");
    const inside = shareLink({
      link,
      label: text("watchLabel"),
      title: this.state.shown?.title ?? "",
      withCode: !isOnlyHere(),
    });
    askInMiddle(text("watchLink"), { inside });
  }

  async download() {
    try {
      const record = await get(
        "/api/live/{id}/record",
        { id: this.id },
        { token: this.known.token },
      );
      const link = make("a", {
        href: URL.createObjectURL(new Blob([record], { type: "text/plain" })),
        download: `${this.state.shown?.game}.duel`,
      });
      link.click();
      URL.revokeObjectURL(link.href);
    } catch (error) {
      this.dispatch({ type: "failed", sentence: sentenceOf(error) });
    }
  }

  /**
   * The link for the friend, until the friend is there.
   * @param {LiveView} view
   */
  fillInvitation(view) {
    const { invite } = this.known;
    const isOpen = Boolean(invite) && !view.joined;
    if (invite && isOpen && !this.invitation.childElementCount) {
      const link = linkTo(this.id, invite);
      const withCode = !isOnlyHere(); // a phone that reads the code would open itself
      const name = nameField();
      name.removeAttribute("aria-label"); // its label is in sight
      name.addEventListener("change", () => this.callMe(name.value.trim()));
      fill(
        this.invitation,
        make("h2", {}, text("invite")),
        make("p", { class: "invite-lead" }, text("inviteLead")),
        make("label", { class: "share-label" }, text("inviteName"), name),
        this.shareInvitation(link, view.title, withCode),
      );
      if (isOnlyHere()) this.offerAddresses(view.title, this.id, invite);
    }
    if (!isOpen && !this.invitation.hidden) say(text("friendHere"));
    show(this.invitation, isOpen);
  }

  /** Nobody has come: end the game, and go back to where one is begun. */
  cancelInvitation() {
    this.ask({ do: "claim", claim: "abort" });
    forget(this.id);
    go("/");
  }

  /**
   * A friend cannot open an address that means this computer: offer others, or say how to get one.
   * @param {string} title
   * @param {string} id
   * @param {string} invite
   */
  async offerAddresses(title, id, invite) {
    const addresses = await get("/api/addresses", {}).catch(() => []);
    const [origin] = addresses;
    if (!origin) {
      const command = make("code", {}, COMMAND);
      const warning = make(
        "div",
        { class: "only-here" },
        make("p", {}, make("strong", {}, text("onlyHere"))),
        make("p", {}, text("openToNetwork"), " ", command),
      );
      this.invitation.querySelector(".invite-lead")?.before(warning);
      return;
    }
    const link = linkTo(id, invite, origin);
    this.invitation.querySelector(".share")?.replaceWith(this.shareInvitation(link, title, true));
  }

  /**
   * @param {string} link
   * @param {string} title
   * @param {boolean} withCode
   */
  shareInvitation(link, title, withCode) {
    const other = button("cancel", text("inviteCancel"), () => this.cancelInvitation());
    return shareLink({ link, label: text("inviteLabel"), title, withCode, other });
  }

  /**
   * Say what is new to those who cannot see it, and call those who look elsewhere.
   * @param {LiveView | null} before
   * @param {LiveView} view
   * @param {string} happened
   */
  tell(before, view, happened) {
    const now = view.result ? view.result.sentence : view.sentence;
    if (!before || now !== (before.result ?? before).sentence || happened)
      say([happened, now].filter(Boolean).join(" "));
    if (before && view.you !== "both" && isAsked(view) && !isAsked(before)) {
      sound("turn");
      notify(view.title, view.sentence);
    }
  }

  /** @param {EventDocument[]} events */
  noise(events) {
    const kinds = events.map((event) => event.kind);
    if (kinds.includes("won")) sound("won");
    else if (kinds.includes("battle")) sound("battle");
    else if (kinds.includes("taken") || kinds.includes("sent_home")) sound("take");
    else sound("move");
  }

  /**
   * Ask for a move; false while none is taken.
   * @param {string} move
   */
  play(move) {
    if (!this.state.isReady) return false;
    this.hadFocusOnMoves = this.moves.hasFocus;
    if (this.advice.isCoached && move !== "pass") this.advice.consider(move);
    else this.send(move);
    return true;
  }

  /**
   * Play a move, whatever the coach says.
   * @param {string} move
   */
  send(move) {
    this.askInTurn(move === "pass" ? { do: "pass" } : { do: "move", move });
  }

  /** @param {Request} request */
  ask(request) {
    this.live.ask(request);
  }

  /**
   * Ask for something that is meant for this turn only.
   * @param {Request} request
   */
  askInTurn(request) {
    this.ask({ ...request, turn: this.state.view?.turn });
  }

  /** @param {GameState} state */
  connection({ connection }) {
    show(this.line, connection !== "live");
    this.line.textContent =
      connection === "live" ? "" : text(connection === "again" ? "reconnecting" : "connecting");
    this.element.classList.toggle("offline", connection !== "live");
  }

  /** @param {string} sentence */
  ended(sentence) {
    forget(this.id);
    fill(this.element, notice(sentence));
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const isTyping = within(event, "input, textarea, select, dialog");
    if (isTyping || event.altKey || event.ctrlKey || event.metaKey || !this.state.view) return;
    if (/^[1-9]$/.test(event.key)) {
      if (!this.battle.press(event.key)) this.moves.press(event.key);
    } else if (event.key === "/" && this.moves.type()) event.preventDefault();
    else if (event.key === "h" && this.state.view.helped && isAsked(this.state.view))
      this.advice.hint();
  }

  leave() {
    this.left = true;
    this.live.close();
    clearInterval(this.clock);
    document.removeEventListener("keydown", this.keys);
  }
}

/**
 * A button for something to do besides moving; without `onclick` it is shown, but does nothing now.
 * @param {string} name
 * @param {string} label
 * @param {(() => unknown) | null} onclick
 * @param {string} [path] What is drawn beside the label.
 */
function button(name, label, onclick, path) {
  return make(
    "button",
    {
      type: "button",
      class: name === "rematch" ? "primary" : "quiet",
      "data-action": name,
      "aria-disabled": onclick ? null : "true",
      onclick,
    },
    path ? sign(path) : null,
    label,
  );
}

/** @param {string} path */
function sign(path) {
  return draw(
    "svg",
    { class: "sign", viewBox: "0 0 20 20", "aria-hidden": "true" },
    draw("path", { d: path }),
  );
}

/**
 * Where every piece is, in words.
 * @param {LiveView} view
 */
function boardInWords(view) {
  /** @param {number} cell */
  const label = (cell) => view.board.labels[cell - view.board.cells[0]];
  return SIDES.map((side) => {
    const pieces = view.board.pieces
      .filter((piece) => piece.side === side)
      .map((piece) =>
        piece.at === null
          ? text("textGone", { piece: piece.name })
          : text("textOn", { piece: piece.name, cell: label(piece.at) }),
      );
    const goals = view.board.goals[side].map(label).join(", ");
    return text("textSide", { name: nameOf(view, side), pieces: pieces.join(", "), goals });
  }).join(" ");
}

/** @param {number} time */
function pause(time) {
  return new Promise((resolve) => setTimeout(resolve, time));
}

function nameField() {
  return make("input", {
    type: "text",
    maxlength: LONGEST_NAME,
    value: settings.name,
    "aria-label": text("yourName"),
    autocomplete: "nickname",
  });
}

/**
 * Whether the address was opened as that of a finished game, which everybody may see.
 * @param {string} id
 */
function isFinished(id) {
  const said = document.querySelector('meta[name="finished-game"]');
  return said instanceof HTMLMetaElement && said.content === id;
}

/** Sound is off until it is switched on here. */
function soundSwitch() {
  const waves = draw("path", { class: "waves", d: "M14 7a5 5 0 0 1 0 6m2.5-9a9 9 0 0 1 0 12" });
  const off = draw("path", { class: "silent", d: "m14 8 4 4m0-4-4 4" });
  const horn = draw("path", { class: "horn", d: "M3 8h3l5-4v12l-5-4H3z" });
  const state = make(
    "span",
    { "aria-hidden": "true" },
    text(settings.sound ? "soundOn" : "soundOff"),
  );
  const button = make(
    "button",
    {
      type: "button",
      class: "sound-switch",
      "aria-label": text("sound"),
      "aria-pressed": `${settings.sound}`,
      title: text("sound"),
      onclick: () => {
        set("sound", !settings.sound);
        button.setAttribute("aria-pressed", `${settings.sound}`);
        state.textContent = text(settings.sound ? "soundOn" : "soundOff");
        sound("turn");
      },
    },
    draw("svg", { viewBox: "0 0 20 20", "aria-hidden": "true" }, horn, waves, off),
    state,
  );
  return button;
}

function legend() {
  return make("p", { class: "legend" }, text("legend"));
}
