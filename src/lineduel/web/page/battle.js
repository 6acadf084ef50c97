/** A battle: each chooses a number behind a curtain, and both are turned over together. */

import { battleRules } from "./battle_rules.js";
import { fill, make, say, show, wantsCalm } from "./dom.js";
import { drawFace, SIDES } from "./faces.js";
import { choosingSide, leftSide } from "./game_state.js";
import { nameOf } from "./player_plate.js";
import { text } from "./texts.js";

/** @import { BattleTable, LiveView, RevealedEvent } from "./documents.js" */
/** @import { SideId } from "./faces.js" */
/** @import { GameState } from "./game_state.js" */

const SEEN = 2300;

export class Battle {
  /**
   * `choose(number, side)` sends a number of a side; `ready(side)` says that the other looks away.
   * @param {(number: number, side: SideId) => void} choose
   * @param {(side: SideId) => void} ready
   */
  constructor(choose, ready) {
    this.choose = choose;
    this.ready = ready;
    this.key = "";
    /** @type {HTMLButtonElement[]} */
    this.buttons = [];
    this.cards = { P1: card("P1"), P2: card("P2") };
    this.title = make("h2", { class: "unseen" }); // the page says it, too
    this.note = make("p", { class: "battle-note" });
    this.rules = make("p", { class: "battle-rules" });
    this.numbers = make("div", { class: "numbers" });
    this.row = make("div", { class: "cards" });
    this.element = make(
      "section",
      { class: "battle", hidden: true, tabindex: -1, "aria-label": text("battle") },
      make("div", { class: "battle-words" }, this.title, this.note, this.rules),
      this.row,
      this.numbers,
    );
  }

  /**
   * Say how a battle of this game is decided.
   * @param {BattleTable | undefined} battle
   */
  explain(battle) {
    this.rules.textContent = battle ? battleRules(battle) : "";
  }

  /**
   * Show an open battle as this person sees it; nothing where there is none.
   * @param {LiveView} view
   * @param {GameState} state
   */
  show(view, state) {
    const { battle } = view.board;
    if (!battle || view.result) {
      this.hide();
      return;
    }
    const hadFocus = this.element.contains(document.activeElement);
    const wasHidden = this.element.hidden;
    show(this.element, true);
    if (wasHidden) this.element.scrollIntoView({ block: "nearest" });
    this.element.classList.remove("revealed");
    this.seat(view);
    const label = view.board.labels[battle.cell - view.board.cells[0]];
    this.title.textContent = text("battleOn", { cell: label });
    for (const side of SIDES) {
      const chosen = view.chosen.includes(side);
      const { element, back, front, word } = this.cards[side];
      element.classList.toggle("chosen", chosen);
      element.classList.remove("turned", "winner");
      front.textContent = "";
      fill(back, drawFace(side, side === leftSide(view) ? 1 : -1));
      const ownNumber = view.you === side && state.numbers[side];
      const name = nameOf(view, side);
      word.textContent = !chosen
        ? text(view.you === side ? "yourNumber" : "choosing", { name })
        : ownNumber
          ? text("youChose", { number: ownNumber })
          : text("hasChosen", { name });
    }
    this.offer(view, state);
    if (hadFocus) (this.buttons[0] ?? this.element).focus();
  }

  /**
   * Your own card is on the left, as your side is.
   * @param {LiveView} view
   */
  seat(view) {
    const left = leftSide(view);
    const order = left === "P1" ? SIDES : [...SIDES].reverse();
    const [one, two] = order.map((side) => this.cards[side].element);
    one.classList.remove("right");
    one.classList.add("left");
    two.classList.remove("left");
    two.classList.add("right");
    fill(this.row, one, make("span", { class: "versus", "aria-hidden": "true" }, "×"), two);
  }

  /**
   * The numbers, or, where two people share this screen, the curtain before them.
   * @param {LiveView} view
   * @param {GameState} state
   */
  offer(view, state) {
    const side = choosingSide(view);
    const isBehindCurtain = view.you === "both" && state.ready !== side;
    const key = [view.turn, side, isBehindCurtain, ...view.numbers].join(" ");
    if (key === this.key) return;
    this.key = key;
    if (!side) {
      this.fillNumbers([]);
      this.note.textContent = view.you ? text("waitingForNumber") : "";
    } else if (isBehindCurtain) {
      this.curtain(view, side);
    } else {
      this.note.textContent = text("chooseNumber");
      const numbers = Array.from({ length: view.board.battle?.numbers ?? 0 }, (_, at) => at + 1);
      this.fillNumbers(
        numbers.map((number) =>
          view.numbers.includes(number)
            ? numberButton(number, side, () => this.choose(number, side))
            : make("span", { class: "number spent", "aria-hidden": "true" }),
        ),
      );
    }
  }

  /**
   * @param {LiveView} view
   * @param {SideId} side
   */
  curtain(view, side) {
    const other = side === "P1" ? "P2" : "P1";
    this.note.textContent = text("lookAway", { name: view.names[side], other: view.names[other] });
    const onclick = () => {
      this.ready(side);
      this.buttons[0]?.focus();
    };
    this.fillNumbers([
      make(
        "button",
        { type: "button", class: "primary", onclick },
        text("ready", { name: view.names[side] }),
      ),
    ]);
  }

  /**
   * Buttons, and what stands where a number is spent.
   * @param {HTMLElement[]} shown
   */
  fillNumbers(shown) {
    this.buttons = shown.filter((one) => one instanceof HTMLButtonElement);
    fill(this.numbers, shown);
  }

  /**
   * Press a number on the keyboard; false where none can be chosen.
   * @param {string} digit
   */
  press(digit) {
    const button = this.buttons.find((one) => one.textContent === digit);
    button?.click();
    return Boolean(button);
  }

  /**
   * Turn both numbers over at the same moment, and leave time to see them.
   * @param {RevealedEvent} event
   * @param {string} sentence
   */
  async reveal(event, sentence) {
    this.key = "";
    show(this.element, true);
    this.fillNumbers([]);
    this.note.textContent = sentence;
    this.element.classList.add("revealed");
    for (const side of SIDES) {
      const { element, front, word } = this.cards[side];
      front.textContent = `${event.numbers[side]}`;
      word.textContent = "";
      element.classList.add("turned");
      element.classList.toggle("winner", event.side === side);
    }
    say(sentence);
    await new Promise((resolve) => setTimeout(resolve, wantsCalm() ? SEEN / 2 : SEEN));
    this.hide();
  }

  hide() {
    this.key = "";
    show(this.element, false);
  }
}

/**
 * @param {number} number
 * @param {SideId} side
 * @param {() => void} onclick
 */
function numberButton(number, side, onclick) {
  return make("button", { type: "button", class: `number ${side}`, onclick }, `${number}`);
}

/** @param {SideId} side */
function card(side) {
  const back = make("span", { class: "card-back", "aria-hidden": "true" });
  const front = make("span", { class: "card-front" });
  const word = make("span", { class: "card-state" });
  const element = make(
    "div",
    { class: `card ${side}` },
    make("span", { class: "card-body" }, back, front),
    word,
  );
  return { element, back, front, word };
}
