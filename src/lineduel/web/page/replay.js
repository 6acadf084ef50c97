/** A finished game as everybody may see it: it plays itself, without any judgement. */

import { get, sentenceOf } from "./api.js";
import { catalogue } from "./catalogue.js";
import { fill, make, show } from "./dom.js";
import { GameReplay } from "./game_replay.js";
import { beginGame } from "./home.js";
import { notice } from "./missing.js";
import { remembered } from "./seats.js";
import { text } from "./texts.js";

/**
 * @param {HTMLElement} main
 * @param {string} [id]
 */
export async function open(main, id = "") {
  const token = remembered(id)?.token;
  let game;
  try {
    game = await get("/api/live/{id}/replay", { id }, token ? { token } : {});
  } catch (error) {
    fill(main, notice(sentenceOf(error)));
    return undefined;
  }
  const { title, player1, player2, sentence } = game;
  const { games } = await catalogue().catch(() => ({ games: [] }));
  const listed = games.find((one) => one.title === title);
  const replay = new GameReplay();
  const problem = make("p", { class: "problem", role: "alert", hidden: true });
  /** @param {unknown} error */
  const complain = (error) => {
    problem.textContent = sentenceOf(error);
    show(problem, true);
  };
  document.title = `${title} · lineduel`;
  fill(
    main,
    make(
      "div",
      { class: "duel" },
      make(
        "div",
        { class: "duel-head" },
        make("h1", { class: "duel-title" }, title),
        make("p", { class: "goal" }, text("versus", { player1, player2 })),
      ),
      make(
        "div",
        { class: "replay-end" },
        make("p", { class: "hold" }, sentence),
        make(
          "div",
          { class: "row" },
          listed
            ? make(
                "button",
                {
                  type: "button",
                  class: "primary",
                  onclick: () => beginGame({ game: listed.id }).catch(complain),
                },
                text("playTitle", { title }),
              )
            : make("a", { class: "primary button", href: "/" }, text("playYourself")),
          make("a", { class: "quiet button", href: `/review/${id}` }, text("reviewIt")),
        ),
      ),
      problem,
      replay.element,
    ),
  );
  await replay.open(game);
  replay.title.hidden = true; // the page has it above
  scrollTo(0, 0);
  return () => replay.leave();
}
