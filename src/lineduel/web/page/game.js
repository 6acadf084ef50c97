/** A live game: the board is the page. */

import { get } from "./api.js";
import { notify, showTurn, sound } from "./attention.js";
import { Battle } from "./battle.js";
import { Board } from "./board.js";
import { BoardInput } from "./board_input.js";
import { askInMiddle, question } from "./dialogs.js";
import { fill, make, say, show } from "./dom.js";
import { Live } from "./live.js";
import { MoveList } from "./move_list.js";
import { PlayerPlate } from "./player_plate.js";
import { go } from "./router.js";
import { forget, remember, remembered, takeToken } from "./seats.js";
import { set, settings } from "./settings.js";
import { linkTo, shareLink } from "./share.js";
import { text } from "./texts.js";

const SIDES = ["P1", "P2"];

export function open(main, id) {
  takeToken(id);
  const known = remembered(id);
  if (!known?.token) {
    fill(main, notice(text("noSeat")));
    return undefined;
  }
  const page = new GamePage(id, known);
  fill(main, page.element);
  return () => page.leave();
}

function notice(sentence) {
  return make("section", { class: "notice" }, make("h1", {}, sentence), make("p", {}, make("a", { href: "/" }, text("toGames"))));
}

class GamePage {
  constructor(id, known) {
    this.id = id;
    this.known = known;
    this.shown = null;
    this.busy = Promise.resolve();
    this.build();
    this.live = new Live(id, known, {
      view: (view) => this.arrived(view),
      state: (word) => this.connection(word),
      refused: (sentence) => this.refused(sentence),
      ended: (sentence) => this.ended(sentence),
    });
    this.keys = (event) => this.key(event);
    document.addEventListener("keydown", this.keys);
    this.clock = setInterval(() => this.countDown(), 1000);
  }

  build() {
    this.board = new Board();
    this.input = new BoardInput(this.board, (move) => this.play(move.move));
    this.battle = new Battle((number, side) => this.ask({ do: "number", number, ...(side ? { side } : {}) }, true));
    this.title = make("h1", { class: "duel-title" });
    this.plates = Object.fromEntries(SIDES.map((side) => [side, new PlayerPlate(side)]));
    this.line = make("p", { class: "connection", role: "status", hidden: true });
    this.problem = make("p", { class: "problem", role: "alert", hidden: true });
    this.sentence = make("p", { class: "sentence" });
    this.happened = make("p", { class: "happened" });
    this.questions = make("div", { class: "questions" });
    this.invitation = make("section", { class: "invitation", hidden: true, "aria-label": text("invite") });
    this.moves = new MoveList((move) => this.play(move), (move) => this.input.hint(move));
    this.log = make("ol", { class: "log", tabindex: 0, "aria-label": text("log") });
    this.actions = make("div", { class: "actions" });
    this.boardText = make("p", { class: "board-text" });
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
        make("details", { class: "panel more" }, make("summary", {}, text("asText")), this.boardText, legend()),
      ),
    );
  }

  /** A view came in: show what happened since the last one, one after the other. */
  arrived(view) {
    const before = this.latest ?? null;
    this.latest = view;
    if (!before) this.enter(view);
    if (before && isSamePosition(before, view)) {
      this.busy = this.busy.then(() => this.presentAround(view));
      return;
    }
    const isNext = before && view.last && view.turn > before.turn && view.turn <= before.turn + 2;
    this.takeMoves(false);
    this.busy = this.busy.then(() => this.present(view, isNext ? view.last.events : [], before));
  }

  /** The first view: an invitation has become a seat, and whoever took it has a name. */
  enter(view) {
    this.board.flipped = settings.flipped === true;
    if (this.known.invitation && settings.name && SIDES.includes(view.you)) this.ask({ do: "name", name: settings.name });
  }

  /** Only names, presence or questions changed: whoever is choosing a move is not disturbed. */
  presentAround(view) {
    if (this.left) return;
    this.shown = view;
    this.frame(view);
  }

  async present(view, events, before) {
    const isOld = view.turn < this.latest.turn - 1;
    if (this.left || isOld) return;
    this.shown = view;
    const settled = events.find((event) => event.kind === "revealed");
    if (settled) {
      this.moves.clear();
      this.sentence.textContent = "";
      this.happened.textContent = "";
      await this.battle.reveal(settled, view.last.sentence);
      if (this.left) return;
    }
    this.frame(view);
    this.tell(before, view, events.length && !settled ? view.last.sentence : "");
    if (events.length) this.noise(events);
    await this.board.show(view.board, events);
    if (this.left) return;
    this.mark(view);
    this.battle.show(view);
    if (!isSamePosition(view, this.latest)) return;
    this.offered = view;
    this.moves.show(view, (cell) => this.board.label(cell));
    this.takeMoves(true);
    if (this.hadFocusOnMoves) {
      this.hadFocusOnMoves = false;
      if (!this.moves.focus()) this.focusBoard();
    }
  }

  /** Take moves from now on, or none until the next position is shown. */
  takeMoves(isReady) {
    this.isReady = isReady;
    this.moves.enable(isReady);
    this.input.offer(isReady ? this.latest.moves : []);
  }

  /** Everything around the board. */
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

  /** Marks that stay: where the last move went, an open battle, the winning cell. */
  mark(view) {
    const moved = view.last?.events.find((event) => event.kind === "moved");
    const won = view.result && view.last?.events.find((event) => event.kind === "won");
    for (const [cell, element] of this.board.cells) {
      element.classList.toggle("last-from", moved?.from === cell);
      element.classList.toggle("last-to", moved?.to === cell);
      element.classList.toggle("fight", view.board.battle?.cell === cell);
      element.classList.toggle("won", Boolean(won) && won.cell === cell);
    }
  }

  fillLog(view) {
    if (this.logged === view.log.at(-1)?.n && this.log.childElementCount === view.log.length) return;
    this.logged = view.log.at(-1)?.n;
    fill(
      this.log,
      ...view.log.map((line) =>
        make("li", { class: line.side ?? "both", value: line.n }, line.text),
      ),
    );
    this.log.scrollTop = this.log.scrollHeight;
  }

  /** What the other side asks, and what can be done about an absent one. */
  fillQuestions(view) {
    const asked = [];
    if (view.undo.asked_by && view.you && view.you !== "both") {
      const answer = (yes) => () => this.ask({ do: "undo-answer", yes });
      asked.push(
        view.undo.asked_by === view.you
          ? question(view.undo.sentence, [text("withdraw"), answer(false)])
          : question(view.undo.sentence, [text("allow"), answer(true)], [text("refuse"), answer(false)]),
      );
    }
    if (view.rematch.offered_by.length && !view.rematch.id && view.you && view.you !== "both") {
      const mine = view.rematch.offered_by.includes(view.you);
      asked.push(
        mine
          ? question(text("rematchWaiting"))
          : question(text("rematchOffered"), [text("rematchAccept"), () => this.ask({ do: "rematch" })]),
      );
    }
    if (view.claim && view.you && view.joined && !view.result) asked.push(this.claim(view.claim));
    if (view.kinds[view.you] === "computer" && !view.result) {
      asked.push(question(text("takenOver"), [text("takeBackSeat"), () => this.ask({ do: "return" })]));
    }
    const key = JSON.stringify([view.undo, view.rematch, view.claim, view.kinds]);
    if (key === this.asked) return;
    this.asked = key;
    fill(this.questions, ...asked);
    if (view.rematch.id) this.follow(view.rematch.id);
  }

  claim(claim) {
    this.claimable = Date.now() + claim.seconds_left * 1000;
    const buttons = claim.can.map((what) =>
      make("button", { type: "button", class: "quiet", onclick: () => this.ask({ do: "claim", claim: what }) }, text(`claim-${what}`)),
    );
    this.claimButtons = buttons;
    this.claimLeft = make("span", { class: "left" });
    const element = make("div", { class: "question" }, make("p", {}, claim.sentence, " ", this.claimLeft), make("div", { class: "row" }, ...buttons));
    this.countDown();
    return element;
  }

  countDown() {
    if (!this.claimButtons) return;
    const left = Math.max(0, Math.ceil((this.claimable - Date.now()) / 1000));
    for (const button of this.claimButtons) button.disabled = left > 0;
    this.claimLeft.textContent = left ? text("secondsLeft", { seconds: left }) : "";
  }

  /** The game that was agreed on as a rematch; the same token opens it. */
  follow(id) {
    if (this.left) return;
    remember(id, { token: this.known.token, spectator: this.known.spectator });
    go(`/game/${id}`);
  }

  fillActions(view) {
    const { you } = view;
    const isOver = Boolean(view.result);
    const actions = [
      you && (view.undo.can || !isOver) && ["undo", text("undo"), () => this.ask({ do: "undo" }), !view.undo.can],
      you && isOver && ["rematch", text("rematch"), () => this.ask({ do: "rematch" }), you !== "both" && view.rematch.offered_by.includes(you)],
      isOver && ["review", text("review"), () => go(`/review/${this.id}`), false],
      you && !isOver && (view.joined ? ["resign", text("resign"), () => this.resign(), false] : ["abort", text("claim-abort"), () => this.ask({ do: "claim", claim: "abort" }), false]),
    ];
    const more = [
      ["flip", text("flip"), () => this.flip(), false],
      you && you !== "both" && ["name", text("changeName"), () => this.rename(), false],
      this.known.spectator && ["watch", text("watchLink"), () => this.showWatchLink(), false],
      ["record", text("record"), () => this.download(), false],
    ];
    const key = JSON.stringify([actions, more].map((list) => list.map((one) => one && [one[0], one[3]])));
    if (key === this.acted) return;
    this.acted = key;
    const focused = this.actions.contains(document.activeElement) && document.activeElement.dataset.action;
    const menu = make(
      "details",
      { class: "menu" },
      make("summary", { class: "quiet" }, text("more")),
      make("div", { class: "menu-body" }, ...more.filter(Boolean).map(action)),
    );
    fill(this.actions, ...actions.filter(Boolean).map(action), menu);
    if (!focused) return;
    const same = this.actions.querySelector(`[data-action="${focused}"]`);
    if (same) same.focus();
    else this.focusBoard();
  }

  flip() {
    set("flipped", !this.board.flipped);
    this.board.flip(settings.flipped);
    this.mark(this.shown);
  }

  resign() {
    askInMiddle(text("resignSure"), { yes: text("resign"), agreed: () => this.ask({ do: "resign" }) });
  }

  rename() {
    const field = make("input", { type: "text", maxlength: 30, value: settings.name, "aria-label": text("yourName"), autocomplete: "nickname" });
    const agreed = () => {
      set("name", field.value.trim());
      if (settings.name) this.ask({ do: "name", name: settings.name });
    };
    askInMiddle(text("yourName"), { yes: text("save"), agreed, inside: field });
  }

  showWatchLink() {
    const link = linkTo(this.id, this.known.spectator);
    const inside = shareLink({ link, label: text("watchLabel"), title: this.shown.title, withCode: true });
    askInMiddle(text("watchLink"), { inside });
  }

  async download() {
    try {
      const record = await get(`/api/live/${this.id}/record`, { token: this.known.token, plain: true });
      const link = make("a", { href: URL.createObjectURL(new Blob([record], { type: "text/plain" })), download: `${this.shown.game}.duel` });
      link.click();
      URL.revokeObjectURL(link.href);
    } catch (error) {
      this.refused(error.message);
    }
  }

  /** The link for the friend, until the friend is there. */
  fillInvitation(view) {
    const isOpen = Boolean(this.known.invite) && !view.joined;
    if (isOpen && !this.invitation.childElementCount) {
      const link = linkTo(this.id, this.known.invite);
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

  /** Say what is new to those who cannot see it, and call those who look elsewhere. */
  tell(before, view, happened) {
    const now = view.result ? view.result.sentence : view.sentence;
    if (!before || now !== (before.result ?? before).sentence || happened) say([happened, now].filter(Boolean).join(" "));
    if (before && view.you !== "both" && isAsked(view) && !isAsked(before)) {
      sound("turn");
      notify(view.title, view.sentence);
    }
  }

  noise(events) {
    const kinds = events.map((event) => event.kind);
    if (kinds.includes("won")) sound("won");
    else if (kinds.includes("battle")) sound("battle");
    else if (kinds.includes("taken") || kinds.includes("sent_home")) sound("take");
    else sound("move");
  }

  /** Ask for a move; false while none is taken. */
  play(move) {
    if (!this.isReady) return false;
    this.hadFocusOnMoves = this.moves.hasFocus;
    this.takeMoves(false);
    this.ask(move === "pass" ? { do: "pass" } : { do: "move", move }, true);
    return true;
  }

  ask(action, ofTurn = false) {
    show(this.problem, false);
    this.live.ask(ofTurn ? { ...action, turn: this.latest.turn } : action);
  }

  refused(sentence) {
    this.problem.textContent = sentence;
    show(this.problem, true);
    if (this.offered && isSamePosition(this.offered, this.latest)) this.takeMoves(true);
  }

  connection(word) {
    show(this.line, word !== "live");
    this.line.textContent = word === "live" ? "" : text(word === "again" ? "reconnecting" : "connecting");
    this.element.classList.toggle("offline", word !== "live");
  }

  ended(sentence) {
    forget(this.id);
    fill(this.element, notice(sentence));
  }

  key(event) {
    const isTyping = event.target.closest?.("input, textarea, select, dialog");
    if (isTyping || event.altKey || event.ctrlKey || event.metaKey || !this.latest) return;
    if (/^[1-9]$/.test(event.key)) {
      if (!this.battle.press(event.key)) this.moves.press(event.key);
    } else if (event.key === "/" && !this.moves.typed.hidden) {
      event.preventDefault();
      this.moves.field.focus();
    }
  }

  focusBoard() {
    this.board.cells.get(this.input.at)?.focus();
  }

  leave() {
    this.left = true;
    this.live.close();
    clearInterval(this.clock);
    document.removeEventListener("keydown", this.keys);
  }
}

/** Whether nothing changed that a person choosing a move has to know. */
function isSamePosition(one, other) {
  const parts = ({ turn, board, asked, chosen, result, you }) => JSON.stringify([turn, board.position, asked, chosen, result, you]);
  return parts(one) === parts(other);
}

function isAsked(view) {
  return view.you === "both" ? view.asked.length > 0 : view.asked.includes(view.you);
}

function action([name, label, onclick, off]) {
  return make(
    "button",
    {
      type: "button",
      class: name === "rematch" ? "primary" : "quiet",
      "data-action": name,
      "aria-disabled": off ? "true" : null,
      onclick: off ? null : onclick,
    },
    label,
  );
}

/** Where every piece is, in words. */
function boardInWords(view) {
  const label = (cell) => view.board.labels[cell - view.board.cells[0]];
  return SIDES.map((side) => {
    const pieces = view.board.pieces
      .filter((piece) => piece.side === side)
      .map((piece) => (piece.at === null ? text("textGone", { piece: piece.name }) : text("textOn", { piece: piece.name, cell: label(piece.at) })));
    const goals = view.board.goals[side].map(label).join(", ");
    return text("textSide", { name: view.names[side], pieces: pieces.join(", "), goals });
  }).join(" ");
}

function legend() {
  return make("p", { class: "legend" }, text("legend"));
}
