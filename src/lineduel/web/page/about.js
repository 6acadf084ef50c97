/** What lineduel is, how it is played here, and what is kept. */

import { fill, make } from "./dom.js";
import { text } from "./texts.js";

/** @import { TextKey } from "./texts.js" */

/** @param {HTMLElement} main */
export function open(main) {
  document.title = text("aboutTitle");
  fill(
    main,
    make(
      "article",
      { class: "about-page" },
      make("h1", {}, text("about")),
      make("p", { class: "lead" }, text("aboutLead")),
      part("aboutPlay", ["aboutTap", "aboutKeys", "aboutHints", "aboutStop"]),
      part("aboutFriends", ["aboutLink", "aboutDays", "aboutWatch"]),
      part("aboutData", ["aboutKept", "aboutServer"]),
      part(
        "aboutMore",
        ["aboutTerminal"],
        link("/lessons", "navLearn"),
        link("/study", "navStudy"),
        link("/design", "navDesign"),
        link("/ladder", "ladder"),
        link("/tournament", "tournaments"),
        link("/api/docs", "httpInterface"),
      ),
    ),
  );
}

/**
 * @param {TextKey} title
 * @param {TextKey[]} lines
 * @param {...HTMLElement} links
 */
function part(title, lines, ...links) {
  return make(
    "section",
    { class: "panel" },
    make("h2", {}, text(title)),
    make("ul", {}, ...lines.map((key) => make("li", {}, text(key)))),
    links.length ? make("p", { class: "row" }, ...links) : null,
  );
}

/**
 * @param {string} href
 * @param {TextKey} key
 */
function link(href, key) {
  return make("a", { href }, text(key));
}
