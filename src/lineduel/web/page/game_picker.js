/** A list of all games and their variants, to choose one. */

import { make } from "./dom.js";
import { text } from "./texts.js";

/** `chosen` is a game's id, or `id:variant`; `onchoose` gets another one of these. */
export function gamePicker(games, chosen, onchoose) {
  const choices = games.flatMap((game) => [
    make("option", { value: game.id }, game.title),
    ...game.variants.map((one) => make("option", { value: `${game.id}:${one.name}` }, text("variantName", { title: game.title, variant: one.name }))),
  ]);
  const picker = make("select", { "aria-label": text("gameToStudy"), onchange: () => onchoose(picker.value) }, ...choices);
  picker.value = chosen;
  return picker;
}
