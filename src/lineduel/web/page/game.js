/** A live game: the board is the page. */

import { get, sentenceOf } from "./api.js";
import { notify, showTurn, sound } from "./attention.js";
import { Battle } from "./battle.js";
import { Board } from "./board.js";
import { BoardInput } from "./board_input.js";
import { askInMiddle, question } from "./dialogs.js";
import { fill, make, say, show, within } from "./dom.js";
import { SIDES } from "./faces.js";
import {
  actions,
  isAsked,
  isNow,
  isSamePosition,
  questions,
  reduce,
  START,
  secondsToClaim,
} from "./game_state.js";
import { Live } from "./live.js";
import { notice } from "./missing.js";
import { MoveList } from "./move_list.js";
import { PlayerPlate } from "./player_plate.js";
import { go } from "./router.js";
import { forget, remember, remembered, takeToken } from "./seats.js";
import { set, settings } from "./settings.js";
import { linkTo, shareLink } from "./share.js";
import { text } from "./texts.js";

/** @import { ClaimState, EventDocument, LiveView, Request } from "./documents.js" */
/** @import { Action, GameEvent, GameState, Question } from "./game_state.js" */
/** @import { Known } from "./seats.js" */

/**
 * @param {HTMLElement} main
 * @param {string} [id]
 */
export function open(main, id = "") {
  takeToken(id);
  const known = remembered(id);
  if (!known?.token) {
    fill(main, notice(text("noSeat")));
    return undefined;
  }
  const page = new GamePage(id, { ...known, token: known.token });
  fill(main, page.element);
  return () => page.leave();
}

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
    this.hadFocusOnMoves = false;
    this.logged = "";
    this.asked = "";
    this.acted = "";
    this.board = new Board();
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
    this.title = make("h1", { class: "duel-title" });
    this.plates = { P1: new PlayerPlate("P1"), P2: new PlayerPlate("P2") };
    this.line = make("p", { class: "connection", role: "status", hidden: true });
    this.problem = make("p", { class: "problem", role: "alert", hidden: true });
    this.sentence = make("p", { class: "sentence" });
    this.happened = make("p", { class: "happened" });
    this.questions = make("div", { class: "questions" });
    this.invitation = make("section", {
      class: "invitation",
      hidden: true,
      "aria-label": text("invite"),
    });
    this.moves = new MoveList(
      (move) => this.play(move),
      (move) => this.input.hint(move),
    );
    this.log = make("ol", { class: "log", tabindex: 0, "aria-label": text("log") });
    this.actions = make("div", { class: "actions" });
    this.boardText = make("p", { class: "board-text" });
    this.claimLeft = make("span", { class: "left" });
    /** @type {HTMLButtonElement[]} */
    this.claimButtons = [];
    this.element = make(
      "div",
      { class: "duel" },
      make("div", { class: "duel-head" }, this.title, this.line),
      make("div", { class: "plates" }, this.plates.P1.element, this.plates.P2.element),
      this.invitation,
      make("div", { class: "stage" }, this.board.element, this.battle.element),
      make("div", { class: "call" }, this.sentence, this.happened),
      this.problem,
      this.questions,
      this.actions,
      make(
        "div",
        { class: "below" },
        this.moves.element,
        make("section", { class: "panel" }, make("h2", {}, text("log")), this.log),
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
    if (state.ended !== before.ended && state.ended !== null) this.ended(state.ended);
    if (state.selection.moves !== before.selection.moves) {
      this.moves.enable(state.isReady);
      this.input.offered();
    }
    if (state.ready && state.ready !== before.ready && state.shown)
      this.battle.show(state.shown, state);
    if (state.view && state.view !== before.view) this.arrived(before.view, state.view);
  }

  /**
   * A view came in: show what happened since the last one, one after the other.
   * @param {LiveView | null} before
   * @param {LiveView} view
   */
  arrived(before, view) {
    if (!before) this.enter(view);
    if (before && isSamePosition(before, view)) {
      this.busy = this.busy.then(() => this.presentAround(view));
      return;
    }
    const isNext = before && view.turn > before.turn && view.turn <= before.turn + 2;
    const events = isNext && view.last ? view.last.events : [];
    this.busy = this.busy.then(() => this.present(view, events, before));
  }

  /**
   * The first view: an invitation has become a seat, and the person who took it has a name.
   * @param {LiveView} view
   */
  enter(view) {
    this.board.flipped = settings.flipped;
    const hasSeat = view.you === "P1" || view.you === "P2";
    if (this.known.invitation && settings.name && hasSeat)
      this.ask({ do: "name", name: settings.name });
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
    this.dispatch({ type: "shown", view });
    const happened = view.last?.sentence ?? "";
    const settled = events.find((event) => event.kind === "revealed");
    if (settled) {
      this.moves.clear();
      this.sentence.textContent = "";
      this.happened.textContent = "";
      await this.battle.reveal(settled, happened);
      if (this.left) return;
    }
    this.frame(view);
    this.tell(before, view, events.length && !settled ? happened : "");
    if (events.length) this.noise(events);
    await this.board.show(view.board, events);
    if (this.left) return;
    this.mark(view);
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
   * Everything around the board.
   * @param {LiveView} view
   */
  frame(view) {
    this.title.textContent = view.title;
    remember(this.id, { title: view.title, over: Boolean(view.result) });
    for (const side of SIDES) this.plates[side].show(view);
    this.sentence.textContent = view.result ? view.result.sentence : view.sentence;
    this.element.classList.toggle("over", Boolean(view.result));
    this.element.dataset.winner = view.result?.winner ?? "";
    this.happened.textContent = view.last?.sentence ?? "";
    const isYours = isAsked(view);
    this.element.classList.toggle("yours", isYours);
    showTurn(view.title, view.sentence, isYours && view.you !== "both");
    this.fillLog(view);
    this.fillQuestions(view);
    this.fillActions(view);
    this.fillInvitation(view);
    this.boardText.textContent = boardInWords(view);
  }

  /**
   * Marks that stay: where the last move went, an open battle, the winning cell.
   * @param {LiveView} view
   */
  mark(view) {
    const moved = view.last?.events.find((event) => event.kind === "moved");
    const won = view.result ? view.last?.events.find((event) => event.kind === "won") : undefined;
    for (const [cell, element] of this.board.cells) {
      element.classList.toggle("last-from", moved?.from === cell);
      element.classList.toggle("last-to", moved?.to === cell);
      element.classList.toggle("fight", view.board.battle?.cell === cell);
      element.classList.toggle("won", won?.cell === cell);
    }
  }

  /** @param {LiveView} view */
  fillLog({ log }) {
    const key = `${log.length} ${log.at(-1)?.n}`;
    if (key === this.logged) return;
    this.logged = key;
    fill(
      this.log,
      log.map((line) => make("li", { class: line.side ?? "both", value: line.n }, line.text)),
    );
    this.log.scrollTop = this.log.scrollHeight;
  }

  /**
   * What the other side asks, and what can be done about an absent one.
   * @param {LiveView} view
   */
  fillQuestions(view) {
    const key = JSON.stringify([view.undo, view.rematch, view.claim, view.kinds, questions(view)]);
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
  question(kind, { undo, claim }) {
    /** @param {boolean} yes */
    const answer = (yes) => () => this.ask({ do: "undo-answer", yes, to: undo.to });
    switch (kind) {
      case "undo-own":
        return question(undo.sentence, [text("withdraw"), answer(false)]);
      case "undo":
        return question(
          undo.sentence,
          [text("allow"), answer(true)],
          [text("refuse"), answer(false)],
        );
      case "rematch-own":
        return question(text("rematchWaiting"));
      case "rematch":
        return question(text("rematchOffered"), [
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
    for (const button of this.claimButtons) button.disabled = left > 0;
    this.claimLeft.textContent = left ? text("secondsLeft", { seconds: left }) : "";
  }

  /**
   * The game that was agreed on as a rematch; the same token opens it.
   * @param {string} id
   */
  follow(id) {
    if (this.left) return;
    remember(id, { token: this.known.token, spectator: this.known.spectator });
    go(`/game/${id}`);
  }

  /** @param {LiveView} view */
  fillActions(view) {
    const found = actions(view);
    const hasName = view.you === "P1" || view.you === "P2";
    const key = JSON.stringify([found, hasName]);
    if (key === this.acted) return;
    this.acted = key;
    const more = [
      button("flip", text("flip"), () => this.flip()),
      hasName ? button("name", text("changeName"), () => this.rename()) : null,
      this.known.spectator ? button("watch", text("watchLink"), () => this.showWatchLink()) : null,
      button("record", text("record"), () => this.download()),
    ];
    const { activeElement } = document;
    const focused =
      activeElement instanceof HTMLElement && this.actions.contains(activeElement)
        ? activeElement.dataset.action
        : undefined;
    const menu = make(
      "details",
      { class: "menu" },
      make("summary", { class: "quiet" }, text("more")),
      make("div", { class: "menu-body" }, more),
    );
    fill(
      this.actions,
      found.map((one) => this.action(one)),
      menu,
    );
    if (!focused) return;
    const same = [...this.actions.querySelectorAll("button")].find(
      (one) => one.dataset.action === focused,
    );
    if (same) same.focus();
    else this.input.focus();
  }

  /** @param {Action} action */
  action({ name, off }) {
    switch (name) {
      case "undo":
        return button(name, text("undo"), off ? null : () => this.ask({ do: "undo" }));
      case "rematch":
        return button(name, text("rematch"), off ? null : () => this.ask({ do: "rematch" }));
      case "review":
        return button(name, text("review"), () => go(`/review/${this.id}`));
      case "resign":
        return button(name, text("resign"), () => this.resign());
      case "abort":
        return button(name, text("claim-abort"), () => this.ask({ do: "claim", claim: "abort" }));
    }
  }

  flip() {
    set("flipped", !this.board.flipped);
    this.board.flip(settings.flipped);
    if (this.state.shown) this.mark(this.state.shown);
  }

  resign() {
    askInMiddle(text("resignSure"), {
      yes: text("resign"),
      agreed: () => this.ask({ do: "resign" }),
    });
  }

  rename() {
    const field = make("input", {
      type: "text",
      maxlength: 30,
      value: settings.name,
      "aria-label": text("yourName"),
      autocomplete: "nickname",
    });
    const agreed = () => {
      set("name", field.value.trim());
      if (settings.name) this.ask({ do: "name", name: settings.name });
    };
    askInMiddle(text("yourName"), { yes: text("save"), agreed, inside: field });
  }

  showWatchLink() {
    const link = linkTo(this.id, this.known.spectator ?? "");
    const inside = shareLink({
      link,
      label: text("watchLabel"),
      title: this.state.shown?.title ?? "",
      withCode: true,
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
      fill(
        this.invitation,
        make("h2", {}, text("invite")),
        make("p", {}, text("inviteLead")),
        shareLink({ link, label: text("inviteLabel"), title: view.title, withCode: true }),
      );
    }
    if (!isOpen && !this.invitation.hidden) say(text("friendHere"));
    show(this.invitation, isOpen);
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
    this.askInTurn(move === "pass" ? { do: "pass" } : { do: "move", move });
    return true;
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
    } else if (event.key === "/" && !this.moves.typed.hidden) {
      event.preventDefault();
      this.moves.field.focus();
    }
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
 */
function button(name, label, onclick) {
  return make(
    "button",
    {
      type: "button",
      class: name === "rematch" ? "primary" : "quiet",
      "data-action": name,
      "aria-disabled": onclick ? null : "true",
      onclick,
    },
    label,
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
    return text("textSide", { name: view.names[side], pieces: pieces.join(", "), goals });
  }).join(" ");
}

function legend() {
  return make("p", { class: "legend" }, text("legend"));
}
