/** The start of the page: the bar at the top, and the page of the address. */

import { fill, find, make, pill } from "./dom.js";
import { drawLogo, drawWordmark } from "./faces.js";
import { start } from "./router.js";
import { applyLook, set, settings } from "./settings.js";
import { text } from "./texts.js";

/** @import { TextKey } from "./texts.js" */

function bar() {
  /** @type {[string, TextKey][]} */
  const links = [
    ["/", "navPlay"],
    ["/games", "navGames"],
    ["/lessons", "navLearn"],
    ["/puzzles", "navPuzzles"],
    ["/study", "navStudy"],
    ["/design", "navDesign"],
  ];
  return [
    make(
      "a",
      { class: "brand", href: "/", "aria-label": text("home") },
      drawLogo(),
      drawWordmark(),
    ),
    make(
      "nav",
      { "aria-label": text("nav") },
      ...links.map(([href, key]) => {
        const short = key === "navGames" ? text("navGamesShort") : "";
        if (!short) return make("a", { href }, text(key));
        const words = [make("span", { class: "long" }, text(key)), make("span", {}, short)];
        return make("a", { href, "aria-label": text(key) }, ...words);
      }),
    ),
    make(
      "details",
      { class: "menu" },
      make("summary", { "aria-label": text("settings") }, gear()),
      preferences(),
    ),
  ];
}

/** The ways that need not be in sight all the time. */
function foot() {
  /** @type {[string, TextKey][]} */
  const links = [
    ["/about", "about"],
    ["/lessons", "lessons"],
    ["/gallery", "gallery"],
    ["/audit", "audit"],
    ["/ladder", "ladder"],
    ["/tournament", "tournaments"],
    ["/api/docs", "httpInterface"],
  ];
  return make(
    "nav",
    { class: "row", "aria-label": text("more") },
    ...links.map(([href, key]) => make("a", { href }, text(key))),
  );
}

function gear() {
  return make("span", { class: "gear", "aria-hidden": "true" }, "⚙");
}

function preferences() {
  const themes = /** @type {const} */ (["auto", "light", "dark"]).map((theme) =>
    pill("theme", text(`theme-${theme}`), settings.theme === theme, () => set("theme", theme)),
  );
  return make(
    "div",
    { class: "menu-body" },
    make(
      "fieldset",
      {},
      make("legend", {}, text("theme")),
      make("div", { class: "pills" }, ...themes),
    ),
    make(
      "label",
      { class: "own-name" },
      make("span", {}, text("nameForFriends")),
      make("input", {
        type: "text",
        maxlength: 30,
        value: settings.name,
        autocomplete: "nickname",
        onchange: ({ target }) =>
          target instanceof HTMLInputElement && set("name", target.value.trim()),
      }),
    ),
    toggle("calm", () => {}),
    toggle("sound", async () => (await import("./attention.js")).sound("turn")),
    toggle("notify", async (box) => {
      const { mayNotify } = await import("./attention.js");
      if (box.checked && !(await mayNotify())) {
        box.checked = false;
        set("notify", false);
      }
    }),
  );
}

/**
 * @param {"calm" | "sound" | "notify"} name
 * @param {(box: HTMLInputElement) => unknown} changed
 */
function toggle(name, changed) {
  const box = make("input", {
    type: "checkbox",
    role: "switch",
    checked: settings[name],
    onchange: () => {
      set(name, box.checked);
      changed(box);
    },
  });
  return make("label", { class: "switch" }, box, make("span", {}, text(name)));
}

/** A menu closes when something else is clicked, or by Escape. */
function closeMenus() {
  document.addEventListener("pointerdown", (event) => {
    for (const menu of openMenus())
      if (!(event.target instanceof Node && menu.contains(event.target))) menu.open = false;
  });
  document.addEventListener("keydown", (event) => {
    const [menu] = event.key === "Escape" ? openMenus() : [];
    if (menu) {
      menu.open = false;
      menu.querySelector("summary")?.focus();
    }
  });
}

function openMenus() {
  return [...document.querySelectorAll("details")].filter(
    (one) => one.open && one.classList.contains("menu"),
  );
}

applyLook();
document.documentElement.lang = text("language");
fill(find("foot", HTMLElement), foot());
find("skip", HTMLElement).textContent = text("skip");
fill(find("bar", HTMLElement), bar());
closeMenus();
start();
