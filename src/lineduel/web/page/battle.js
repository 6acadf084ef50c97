/** A battle: each chooses a number behind a curtain, and both are turned over together. */

import { fill, make, say, show, wantsCalm } from "./dom.js";
import { drawFace } from "./faces.js";
import { text } from "./texts.js";

const SIDES = ["P1", "P2"];
const SEEN = 1900;

export class Battle {
  /** `choose(number, side)` sends a number; `side` is given where two people share this screen. */
  constructor(choose) {
    this.choose = choose;
    this.mine = {};
    this.cards = Object.fromEntries(SIDES.map((side) => [side, card(side)]));
    this.title = make("h2", { class: "battle-title" });
    this.note = make("p", { class: "battle-note" });
    this.numbers = make("div", { class: "numbers" });
    this.element = make(
      "section",
      { class: "battle", hidden: true, "aria-label": text("battle") },
      this.title,
      make("div", { class: "cards" }, this.cards.P1.element, make("span", { class: "versus", "aria-hidden": "true" }, "×"), this.cards.P2.element),
      this.note,
      this.numbers,
    );
  }

  /** Show an open battle as this person sees it; nothing where there is none. */
  show(view) {
    const { battle } = view.board;
    if (!battle || view.result) {
      if (!this.revealing) this.hide();
      return;
    }
    this.revealing = false;
    const hadFocus = this.element.contains(document.activeElement);
    show(this.element, true);
    this.element.classList.remove("revealed");
    const label = view.board.labels[battle.cell - view.board.cells[0]];
    this.title.textContent = text("battleOn", { cell: label });
    for (const side of SIDES) {
      const chosen = view.chosen.includes(side);
      if (!chosen) delete this.mine[side];
      const { element, back, front, state } = this.cards[side];
      element.classList.toggle("chosen", chosen);
      element.classList.remove("turned", "winner");
      front.textContent = "";
      fill(back, drawFace(side, side === "P1" ? 1 : -1));
      const ownNumber = view.you === side && this.mine[side];
      state.textContent = !chosen
        ? text("choosing", { name: view.names[side] })
        : ownNumber
          ? text("youChose", { number: ownNumber })
          : text("hasChosen", { name: view.names[side] });
    }
    this.offer(view);
    if (hadFocus) (this.numbers.querySelector("button") ?? this.element).focus();
  }

  /** The numbers, or, where two people share this screen, the curtain before them. */
  offer(view) {
    const side = view.you === "both" ? view.asked[0] : view.you;
    const key = `${view.turn} ${side} ${view.numbers.join()}`;
    if (key === this.key) return;
    this.key = key;
    if (!view.numbers.length || !view.asked.includes(side)) {
      fill(this.numbers);
      this.note.textContent = view.you ? text("waitingForNumber") : "";
    } else if (view.you === "both") {
      this.curtain(view, side);
    } else {
      this.buttons(view.numbers, side, false);
    }
  }

  curtain(view, side) {
    const other = SIDES.find((one) => one !== side);
    this.note.textContent = text("lookAway", { name: view.names[side], other: view.names[other] });
    const ready = make(
      "button",
      {
        type: "button",
        class: "primary",
        onclick: () => {
          this.buttons(view.numbers, side, true);
          this.numbers.querySelector("button").focus();
        },
      },
      text("ready", { name: view.names[side] }),
    );
    fill(this.numbers, ready);
  }

  buttons(numbers, side, isShared) {
    this.note.textContent = text("chooseNumber");
    fill(
      this.numbers,
      numbers.map((number) =>
        make(
          "button",
          {
            type: "button",
            class: `number ${side}`,
            onclick: () => {
              if (!isShared) this.mine[side] = number;
              this.choose(number, isShared ? side : undefined);
            },
          },
          `${number}`,
        ),
      ),
    );
  }

  /** Press a number on the keyboard; false where none can be chosen. */
  press(digit) {
    const button = [...this.numbers.querySelectorAll("button.number")].find((one) => one.textContent === digit);
    button?.click();
    return Boolean(button);
  }

  /** Turn both numbers over at the same moment, and leave time to see them. */
  async reveal(event, sentence) {
    this.revealing = true;
    this.mine = {};
    this.key = null;
    show(this.element, true);
    fill(this.numbers);
    this.note.textContent = sentence;
    this.element.classList.add("revealed");
    for (const side of SIDES) {
      const { element, front, state } = this.cards[side];
      front.textContent = `${event.numbers[side]}`;
      state.textContent = "";
      element.classList.add("turned");
      element.classList.toggle("winner", event.side === side);
    }
    say(sentence);
    await new Promise((resolve) => setTimeout(resolve, wantsCalm() ? SEEN / 2 : SEEN));
    if (this.revealing) {
      this.revealing = false;
      this.hide();
    }
  }

  hide() {
    this.key = null;
    show(this.element, false);
  }
}

function card(side) {
  const back = make("span", { class: "card-back", "aria-hidden": "true" });
  const front = make("span", { class: "card-front" });
  const state = make("span", { class: "card-state" });
  const element = make("div", { class: `card ${side}` }, make("span", { class: "card-body" }, back, front), state);
  return { element, back, front, state };
}
