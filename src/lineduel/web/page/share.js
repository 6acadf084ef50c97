/** Links for a friend and for spectators, to copy, to send and to scan. */

import { make, say } from "./dom.js";
import { drawCode } from "./qr.js";
import { text } from "./texts.js";

/**
 * The address that opens a game with a token.
 * @param {string} id
 * @param {string} token
 * @param {string} [origin]
 */
export function linkTo(id, token, origin = location.origin) {
  return `${origin}/game/${id}#${token}`;
}

/** Whether the address of this page means this computer to everybody who opens it. */
export function isOnlyHere() {
  return /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(location.hostname);
}

/**
 * A link with its buttons, and its QR code if wished.
 * @param {{ link: string, label: string, title: string, withCode?: boolean, other?: HTMLElement | null }} what `other` is one more button.
 */
export function shareLink({ link, label, title, withCode = false, other = null }) {
  const field = make("input", {
    class: "link",
    type: "text",
    readonly: true,
    value: link,
    "aria-label": label,
    onfocus: () => void field.select(),
  });
  // A phone sends a link to somebody; a computer copies it.
  const isSent = Boolean(navigator.share) && matchMedia("(hover: none)").matches;
  const copy = make(
    "button",
    {
      type: "button",
      class: isSent ? "quiet" : "primary",
      onclick: async () => {
        await copyText(field);
        copy.textContent = text("copied");
        say(text("copied"));
        setTimeout(() => {
          copy.textContent = text("copy");
        }, 1800);
      },
    },
    text("copy"),
  );
  const send = navigator.share
    ? make(
        "button",
        {
          type: "button",
          class: isSent ? "primary" : "quiet",
          onclick: () => navigator.share({ title, url: link }).catch(() => {}),
        },
        text("send"),
      )
    : null;
  return make(
    "div",
    { class: "share" },
    withCode ? drawCode(link, text("code")) : null,
    make(
      "div",
      { class: "share-link" },
      make("label", { class: "share-label" }, label, field),
      make("div", { class: "row" }, isSent ? [send, copy] : [copy, send], other),
    ),
  );
}

/**
 * A finished game: the picture of how it ended, and the link that replays it.
 * @param {string} id
 * @param {string} title
 * @param {string} result
 */
export function shareGame(id, title, result) {
  const picture = `/game/${id}/picture.png`;
  const link = `${location.origin}/replay/${id}`;
  return make(
    "div",
    { class: "share-game" },
    make("img", {
      src: picture,
      width: 1200,
      height: 630,
      alt: text("sharePicture", { title, result }),
    }),
    shareLink({ link, label: text("shareLabel"), title }),
    make(
      "a",
      { class: "quiet button", href: picture, download: "lineduel.png" },
      text("savePicture"),
    ),
  );
}

/** @param {HTMLInputElement} field */
async function copyText(field) {
  field.select();
  try {
    await navigator.clipboard.writeText(field.value);
  } catch {
    document.execCommand("copy"); // pages without TLS have no clipboard of their own
  }
}
