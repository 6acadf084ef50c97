/** What a person prefers in this browser: theme, sound, notifications, the last opponent. */

/**
 * @typedef {object} Settings
 * @property {"auto" | "light" | "dark"} theme
 * @property {boolean} sound
 * @property {boolean} notify
 * @property {boolean} calm
 * @property {boolean} flipped
 * @property {boolean} coach
 * @property {string} name
 * @property {string} opponent A program, `here` or `friend`.
 * @property {"best" | "P1" | "P2" | "random"} seat The best one is that which wins with best play.
 * @property {0 | 1 | 3 | 7} days For each turn of a game with a friend; 0: both stay until the end.
 */

const KEY = "lineduel.settings";
const LESSONS = "lineduel.lessons";
/** @type {Settings} */
const DEFAULTS = {
  theme: "auto",
  sound: false,
  notify: false,
  calm: false,
  flipped: false,
  coach: false,
  name: "",
  opponent: "level:3",
  seat: "best",
  days: 0,
};

/**
 * Something kept in this browser; null where there is nothing, or it is not allowed.
 * @param {string} key
 * @returns {object | null}
 */
export function recall(key) {
  try {
    return JSON.parse(localStorage.getItem(key) ?? "null");
  } catch {
    return null;
  }
}

/**
 * Keep something in this browser, where that is allowed.
 * @param {string} key
 * @param {object} value
 */
export function keep(key, value) {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // private windows may refuse; the page works without
  }
}

/** The lessons that were finished in this browser. */
export function finishedLessons() {
  return recall(LESSONS) ?? {};
}

/** @param {string} id */
export function keepLesson(id) {
  keep(LESSONS, { ...finishedLessons(), [id]: true });
}

/** The most characters of a name; the server takes no more. */
export const LONGEST_NAME = 24;

/** @type {Settings} */
export const settings = { ...DEFAULTS, ...recall(KEY) };

/**
 * Change one setting, and keep it.
 * @template {keyof Settings} Name
 * @param {Name} name
 * @param {Settings[Name]} value
 */
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
