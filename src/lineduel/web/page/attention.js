/** Getting somebody's attention: the tab's title and icon, and, if wished, a sound and a notification. */

import { find } from "./dom.js";
import { settings } from "./settings.js";
import { text } from "./texts.js";

const NOTES = {
  move: [330],
  turn: [440, 587],
  take: [220, 165],
  battle: [196, 247, 196],
  won: [392, 494, 587, 784],
};

/** @type {AudioContext | null} */
let audio = null;

/**
 * Show in the tab whose turn it is.
 * @param {string} title
 * @param {string} sentence
 * @param {boolean} isYours
 */
export function showTurn(title, sentence, isYours) {
  document.title = isYours ? text("tabYourTurn", { title }) : text("tabOther", { title, sentence });
  find("icon", HTMLLinkElement).href = isYours ? "/page/icon-turn.svg" : "/page/icon.svg";
}

/**
 * A few soft notes.
 * @param {keyof typeof NOTES} kind
 */
export function sound(kind) {
  if (!settings.sound) return;
  audio ??= new AudioContext();
  for (const [index, pitch] of NOTES[kind].entries()) note(audio, pitch, index * 0.11);
}

/**
 * @param {AudioContext} context
 * @param {number} pitch
 * @param {number} delay
 */
function note(context, pitch, delay) {
  const start = context.currentTime + delay;
  const tone = context.createOscillator();
  const volume = context.createGain();
  tone.type = "triangle";
  tone.frequency.value = pitch;
  volume.gain.setValueAtTime(0.0001, start);
  volume.gain.exponentialRampToValueAtTime(0.12, start + 0.015);
  volume.gain.exponentialRampToValueAtTime(0.0001, start + 0.22);
  tone.connect(volume).connect(context.destination);
  tone.start(start);
  tone.stop(start + 0.25);
}

/** Whether notifications may be shown; asks the first time. */
export async function mayNotify() {
  if (!("Notification" in window)) return false;
  return (await Notification.requestPermission()) === "granted";
}

/**
 * Notify somebody who looks elsewhere.
 * @param {string} title
 * @param {string} sentence
 */
export function notify(title, sentence) {
  if (!settings.notify || document.visibilityState === "visible") return;
  if (!("Notification" in window) || Notification.permission !== "granted") return;
  const shown = new Notification(title, {
    body: sentence,
    icon: "/page/icon-turn.svg",
    tag: location.pathname,
  });
  shown.addEventListener("click", () => {
    focus();
    shown.close();
  });
}
