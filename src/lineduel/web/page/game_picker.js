/** A list of all games and their variants, to choose one. */

import { make } from "./dom.js";
import { text } from "./texts.js";

/** @import { ShownGame } from "./documents.js" */

/**
 * `chosen` is a game's id, or `id:variant`; `onchoose` gets another one of these.
 * @param {ShownGame[]} games
 * @param {string} chosen
 * @param {(game: string) => void} onchoose
 */
export function gamePicker(games, chosen, onchoose) {
  const picker = make(
    "select",
    { "aria-label": text("gameToStudy"), onchange: () => void onchoose(picker.value) },
    gameOptions(games),
  );
  picker.value = chosen;
  return picker;
}

/**
 * Every game and its variants, as choices.
 * @param {ShownGame[]} games
 */
export function gameOptions(games) {
  return games.flatMap((game) => [
    make("option", { value: game.id }, game.title),
    ...game.variants.map((one) =>
      make(
        "option",
        { value: `${game.id}:${one.name}` },
        text("variantName", { title: game.title, variant: one.summary }),
      ),
    ),
  ]);
}
