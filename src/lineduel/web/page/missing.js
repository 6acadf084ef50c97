/** The page of an address that means nothing here. */

import { make } from "./dom.js";
import { text } from "./texts.js";

export function open(main) {
  main.append(
    make("section", { class: "notice" }, make("h1", {}, text("missing")), make("p", {}, make("a", { href: "/" }, text("toGames")))),
  );
}
