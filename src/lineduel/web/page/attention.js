/** Getting somebody's attention: the tab's title and icon, and, if wished, a sound and a notification. */

import { settings } from "./settings.js";
import { text } from "./texts.js";

let audio = null;

/** Show in the tab whose turn it is. */
export function showTurn(title, sentence, isYours) {
  document.title = isYours ? text("tabYourTurn", { title }) : text("tabOther", { title, sentence });
  document.getElementById("icon").href = isYours ? "/page/icon-turn.svg" : "/page/icon.svg";
}

/** A few soft notes: `move`, `take`, `battle`, `won`, `turn`. */
export function sound(kind) {
  if (!settings.sound) return;
  audio ??= new AudioContext();
  const notes = { move: [330], turn: [440, 587], take: [220, 165], battle: [196, 247, 196], won: [392, 494, 587, 784] };
  (notes[kind] ?? notes.move).forEach((pitch, index) => note(pitch, index * 0.11));
}

function note(pitch, delay) {
  const start = audio.currentTime + delay;
  const tone = audio.createOscillator();
  const volume = audio.createGain();
  tone.type = "triangle";
  tone.frequency.value = pitch;
  volume.gain.setValueAtTime(0.0001, start);
  volume.gain.exponentialRampToValueAtTime(0.12, start + 0.015);
  volume.gain.exponentialRampToValueAtTime(0.0001, start + 0.22);
  tone.connect(volume).connect(audio.destination);
  tone.start(start);
  tone.stop(start + 0.25);
}

/** Whether notifications may be shown; asks the first time. */
export async function mayNotify() {
  if (!("Notification" in window)) return false;
  return (await Notification.requestPermission()) === "granted";
}

/** Tell somebody who looks elsewhere. */
export function notify(title, sentence) {
  if (!settings.notify || document.visibilityState === "visible") return;
  if (!("Notification" in window) || Notification.permission !== "granted") return;
  const shown = new Notification(title, { body: sentence, icon: "/page/icon-turn.svg", tag: location.pathname });
  shown.addEventListener("click", () => {
    focus();
    shown.close();
  });
}
