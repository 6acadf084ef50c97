/** What a person prefers in this browser: theme, sound, notifications, the last opponent. */

const KEY = "lineduel.settings";
const DEFAULTS = { theme: "auto", sound: false, notify: false, calm: false, name: "", opponent: "level:3", seat: "P1" };

/** Something kept in this browser; null where there is nothing, or it is not allowed. */
export function recall(key) {
  try {
    return JSON.parse(localStorage.getItem(key));
  } catch {
    return null;
  }
}

/** Keep something in this browser, where that is allowed. */
export function keep(key, value) {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // private windows may refuse; the page works without
  }
}

export const settings = { ...DEFAULTS, ...recall(KEY) };

/** Change one setting, and keep it. */
export function set(name, value) {
  settings[name] = value;
  keep(KEY, settings);
  applyLook();
}

/** Light or dark, and as much motion, as chosen here, else as the system says. */
export function applyLook() {
  const root = document.documentElement;
  if (settings.theme === "auto") delete root.dataset.theme;
  else root.dataset.theme = settings.theme;
  root.classList.toggle("calm", settings.calm);
}
