/** The live game over a WebSocket: comes back by itself, and never shows two different boards. */

const FIRST_WAIT = 400;
const LONGEST_WAIT = 8000;
/** After so long without a word the connection is tried, and given up if nothing comes back. */
const SILENCE = 60000;
const ANSWER = 6000;

export class Live {
  /** `on` has `view(view)`, `state(word)`, `refused(sentence)` and `ended(sentence)`. */
  constructor(id, { token, invitation }, on) {
    this.id = id;
    this.greeting = invitation ? { token: invitation, key: token } : { token };
    this.on = on;
    this.view = null;
    this.count = 0;
    this.waiting = new Map();
    this.wait = FIRST_WAIT;
    this.closed = false;
    this.wake = () => this.hurry();
    addEventListener("online", this.wake);
    document.addEventListener("visibilitychange", this.wake);
    this.watch = setInterval(this.wake, SILENCE / 2);
    this.connect();
  }

  connect() {
    clearTimeout(this.timer);
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/api/live/${this.id}/socket`);
    this.socket = socket;
    this.on.state(this.view ? "again" : "connecting");
    socket.addEventListener("open", () => socket.send(JSON.stringify(this.greeting)));
    socket.addEventListener("message", (event) => socket === this.socket && this.hear(JSON.parse(event.data)));
    socket.addEventListener("close", () => socket === this.socket && this.lost());
  }

  hear(message) {
    this.heard = Date.now();
    if (message.done !== undefined) this.waiting.delete(message.done);
    switch (message.type) {
      case "view":
        this.take(message);
        break;
      case "turn":
        if (this.view && message.version <= this.view.version) break;
        if (!this.view || message.version !== this.view.version + Math.max(1, message.log.length)) this.send({ do: "view" });
        else this.take(this.merged(message));
        break;
      case "presence":
        if (this.view) {
          const { type, claim, ...presence } = message;
          this.view = { ...this.view, presence, claim };
          this.on.view(this.view);
        }
        break;
      case "refused":
        this.waiting.delete(message.id);
        this.on.refused(message.error);
        break;
      case "bye":
        if (message.again) this.on.state("again");
        else this.end(message.error);
        break;
    }
  }

  /** A turn carries only what changed; lines of the log are added to those we have. */
  merged({ type, done, log, last, ...changed }) {
    return { ...this.view, ...changed, last: last ?? this.view.last, log: [...this.view.log, ...log] };
  }

  take(view) {
    if (this.view && view.version < this.view.version) return;
    const isNew = !this.isIn;
    this.isIn = true;
    this.view = view;
    this.wait = FIRST_WAIT;
    this.on.state("live");
    this.on.view(view);
    if (isNew) this.sendAgain();
  }

  /** Ask for something; what needs the present turn names it. */
  ask(action) {
    this.count += 1;
    const message = { id: this.count, ...action };
    this.waiting.set(message.id, message);
    this.send(message);
    this.expectAnswer();
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

  /** What was not confirmed before the line broke goes out again; an old turn is refused, so it counts once. */
  sendAgain() {
    const { turn, you, asked } = this.view;
    for (const [id, message] of this.waiting) {
      const isStillAsked = you === "both" || asked.includes(you);
      if (message.turn === turn && isStillAsked) this.send(message);
      else this.waiting.delete(id);
    }
  }

  send(message) {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }

  lost() {
    this.isIn = false;
    if (this.closed) return;
    this.on.state("again");
    this.timer = setTimeout(() => this.connect(), this.wait * (0.7 + Math.random() * 0.6));
    this.wait = Math.min(LONGEST_WAIT, this.wait * 1.7);
  }

  /** Someone looks again or the network is back: do not wait any longer. */
  hurry() {
    if (this.closed || document.visibilityState === "hidden") return;
    if (this.socket.readyState > WebSocket.OPEN) {
      this.wait = FIRST_WAIT;
      this.connect();
    } else if (this.isIn && Date.now() - this.heard > SILENCE) {
      this.send({ do: "view" });
      this.expectAnswer();
    }
  }

  /** The server will not have us: a wrong link, or a game that is gone. */
  end(sentence) {
    this.close();
    this.on.ended(sentence);
  }

  close() {
    this.closed = true;
    clearTimeout(this.timer);
    clearInterval(this.watch);
    removeEventListener("online", this.wake);
    document.removeEventListener("visibilitychange", this.wake);
    this.socket?.close();
  }
}
