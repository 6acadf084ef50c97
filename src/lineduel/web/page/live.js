/** The connection of a live game: a WebSocket that comes back by itself. */

/** @import { Greeting, LiveMessage, Request } from "./documents.js" */
/** @import { GameEvent, GameState } from "./game_state.js" */
/** @import { Known } from "./seats.js" */

const FIRST_WAIT = 400;
const LONGEST_WAIT = 8000;
/** Silence after which the connection is tested, and given up if nothing comes back. */
const SILENCE = 60000;
const ANSWER = 6000;

/**
 * Where the state of the game is kept.
 * @typedef {object} GameStore
 * @property {GameState} state
 * @property {(event: GameEvent) => void} dispatch
 */

export class Live {
  /**
   * @param {string} id
   * @param {Known & { token: string }} known
   * @param {GameStore} store
   */
  constructor(id, { token, invitation }, store) {
    this.id = id;
    /** @type {Greeting} */
    this.greeting = invitation ? { token: invitation, key: token } : { token };
    this.store = store;
    this.wait = FIRST_WAIT;
    this.heard = 0;
    this.closed = false;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    this.wake = () => this.hurry();
    addEventListener("online", this.wake);
    document.addEventListener("visibilitychange", this.wake);
    this.watch = setInterval(this.wake, SILENCE / 2);
    this.socket = this.connect();
  }

  connect() {
    clearTimeout(this.timer);
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/api/live/${this.id}/socket`);
    this.socket = socket;
    this.store.dispatch({ type: "connecting" });
    const { view } = this.store.state;
    const greeting = view ? { ...this.greeting, version: view.version } : this.greeting;
    socket.addEventListener("open", () => socket.send(JSON.stringify(greeting)));
    socket.addEventListener(
      "message",
      (event) => socket === this.socket && this.hear(JSON.parse(event.data)),
    );
    socket.addEventListener("close", () => socket === this.socket && this.lost());
    return socket;
  }

  /** @param {LiveMessage} message */
  hear(message) {
    this.heard = Date.now();
    const { store } = this;
    const { isIn: wasIn, waiting } = store.state;
    store.dispatch({ type: "heard", message, now: this.heard });
    if (store.state.ended !== null) this.close();
    if (store.state.isIn && (message.type === "view" || message.type === "turn"))
      this.wait = FIRST_WAIT;
    if (message.type === "turn" && store.state.isBehind) this.send({ do: "view" });
    if (!wasIn && store.state.isIn) this.sendAgain(waiting);
  }

  /**
   * Ask for something.
   * @param {Request} request
   */
  ask(request) {
    this.store.dispatch({ type: "asked", request });
    const made = this.store.state.waiting.at(-1);
    if (made) this.send(made);
    this.expectAnswer();
  }

  /**
   * What was not answered before the line broke goes out again, if it still fits the game.
   * @param {Request[]} made
   */
  sendAgain(made) {
    const { waiting } = this.store.state;
    for (const request of made) if (waiting.includes(request)) this.send(request);
  }

  /** A line can break without a word, in a tunnel or in sleep: if nothing comes, connect again. */
  expectAnswer() {
    const { socket, heard } = this;
    setTimeout(() => {
      if (!this.closed && socket === this.socket && this.heard === heard) {
        socket.close();
        this.lost();
        this.connect();
      }
    }, ANSWER);
  }

  /** @param {Request} message */
  send(message) {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }

  lost() {
    if (this.closed) return;
    this.store.dispatch({ type: "lost" });
    this.timer = setTimeout(() => this.connect(), this.wait * (0.7 + Math.random() * 0.6));
    this.wait = Math.min(LONGEST_WAIT, this.wait * 1.7);
  }

  /** Someone looks again or the network is back: do not wait any longer. */
  hurry() {
    if (this.closed || document.visibilityState === "hidden") return;
    if (this.socket.readyState > WebSocket.OPEN) {
      this.wait = FIRST_WAIT;
      this.connect();
    } else if (this.store.state.isIn && Date.now() - this.heard > SILENCE) {
      this.send({ do: "view" });
      this.expectAnswer();
    }
  }

  close() {
    this.closed = true;
    clearTimeout(this.timer);
    clearInterval(this.watch);
    removeEventListener("online", this.wake);
    document.removeEventListener("visibilitychange", this.wake);
    this.socket.close();
  }
}
