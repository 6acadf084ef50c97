/* The duel on the first page. `DUEL` has every position and what each move is worth; no rule is here. */
(() => {
  "use strict";
  const here = document.querySelector("#duel");
  if (!here) return;
  const board = here.querySelector(".board");
  const said = here.querySelector(".said");
  const [values, back, again] = here.querySelectorAll("button");
  const cells = [...board.querySelectorAll(".cell")];
  const pieces = [...board.querySelectorAll(".face")];
  const THINKS = 900;
  let past = [];
  let now = 0;
  let shown = false;
  let timer = 0;

  const position = () => DUEL.positions[now];

  /** Put both pieces where they are, and offer the moves of whose turn it is. */
  function show(words) {
    const { at, turn, won, moves } = position();
    for (const [side, cell] of at.entries()) {
      const together = at[0] === at[1] ? (side ? 22 : -22) : 0;
      pieces[side].style.left = `${((cell + 0.5) / cells.length) * 100 + (together / cells.length)}%`;
    }
    for (const cell of cells) {
      cell.querySelector("button")?.remove();
    }
    if (turn === 1 && won === null) {
      for (const move of moves) cells[move.to].append(target(move));
    }
    said.textContent = words;
    back.disabled = past.length === 0;
    values.setAttribute("aria-pressed", String(shown));
  }

  function target(move) {
    const button = document.createElement("button");
    button.type = "button";
    button.setAttribute("aria-label", move.said);
    if (shown) {
      button.className = move.wins ? "good" : "bad";
      button.textContent = move.worth;
    }
    button.addEventListener("click", () => play(move));
    return button;
  }

  /** What stands below the board on your turn. */
  function yourTurn() {
    const good = position().moves.filter((move) => move.wins).length;
    if (past.length === 0) return "You are blue: reach +5, or land on orange. One of these three moves wins. Which?";
    if (good === 0) return "Your move. Every move loses now: take one back, or see it through.";
    return good === 1 ? "Your move. Exactly one move wins." : `Your move. ${good} moves win.`;
  }

  function play(move) {
    past.push(now);
    now = move.then;
    if (position().won) return show(`You won in ${past.length} turns. That was perfect play.`);
    show(`${move.said.replace("P1 ", "You go ")}: this ${move.worth}. The computer is thinking …`);
    timer = window.setTimeout(answer, THINKS);
  }

  function answer() {
    const move = position().moves.find((one) => one.best);
    past.push(now);
    now = move.then;
    const moved = `The computer goes ${move.said.replace("P2 ", "")}. `;
    if (position().won) return show(`${moved}You lost in ${past.length} turns. Try another first move.`);
    show(moved + yourTurn());
  }

  values.addEventListener("click", () => {
    shown = !shown;
    show(said.textContent);
  });
  back.addEventListener("click", () => {
    window.clearTimeout(timer);
    do now = past.pop();
    while (position().turn !== 1);
    show(yourTurn());
  });
  again.addEventListener("click", () => {
    window.clearTimeout(timer);
    past = [];
    now = 0;
    show(yourTurn());
  });
  board.classList.add("played");
  board.append(...pieces);
  here.classList.add("ready");
  show(yourTurn());
})();
