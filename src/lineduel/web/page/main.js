/** The start of the page: the bar at the top, and the page of the address. */

import { fill, make } from "./dom.js";
import { drawLogo } from "./faces.js";
import { start } from "./router.js";
import { applyLook, set, settings } from "./settings.js";
import { text } from "./texts.js";

function bar() {
  const links = [
    ["/", "navPlay"],
    ["/study", "navStudy"],
    ["/review", "navReview"],
    ["/puzzles", "navPuzzles"],
    ["/design", "navDesign"],
  ];
  return [
    make("a", { class: "brand", href: "/", "aria-label": text("home") }, drawLogo(), make("span", {}, "lineduel")),
    make("nav", { "aria-label": text("nav") }, ...links.map(([href, key]) => make("a", { href }, text(key)))),
    make("details", { class: "menu" }, make("summary", { "aria-label": text("settings") }, gear()), preferences()),
  ];
}

function gear() {
  return make("span", { class: "gear", "aria-hidden": "true" }, "☰");
}

function preferences() {
  const themes = ["auto", "light", "dark"].map((theme) =>
    make(
      "label",
      { class: "pill" },
      make("input", {
        type: "radio",
        name: "theme",
        checked: settings.theme === theme,
        onchange: () => set("theme", theme),
      }),
      make("span", {}, text(`theme-${theme}`)),
    ),
  );
  return make(
    "div",
    { class: "menu-body" },
    make("fieldset", {}, make("legend", {}, text("theme")), make("div", { class: "pills" }, ...themes)),
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
    for (const menu of document.querySelectorAll("details.menu[open]")) if (!menu.contains(event.target)) menu.open = false;
  });
  document.addEventListener("keydown", (event) => {
    const menu = event.key === "Escape" && document.querySelector("details.menu[open]");
    if (menu) {
      menu.open = false;
      menu.querySelector("summary").focus();
    }
  });
}

applyLook();
document.documentElement.lang = text("language");
document.getElementById("skip").textContent = text("skip");
fill(document.getElementById("bar"), bar());
closeMenus();
start();
