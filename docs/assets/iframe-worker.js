// Browsers start no worker from a file. Where the site is opened from a folder, the search's worker
// runs in a hidden frame instead; its script looks for the name IFrameWorker to know that.
class IFrameWorker extends EventTarget {
  #frame = document.createElement("iframe");
  #ready;

  constructor(address) {
    super();
    this.onmessage = null;
    this.#frame.hidden = true;
    document.body.append(this.#frame);
    const inside = this.#frame.contentWindow;
    inside.postMessage = (data) => this.#hear(data);
    inside.importScripts = async (...scripts) => {
      for (const script of scripts) await this.#load(script);
    };
    this.#ready = this.#load(new URL(address, location.href).href);
  }

  async postMessage(data) {
    await this.#ready;
    const inside = this.#frame.contentWindow;
    inside.dispatchEvent(new inside.MessageEvent("message", { data }));
  }

  terminate() {
    this.#frame.remove();
  }

  #hear(data) {
    const heard = new MessageEvent("message", { data });
    this.dispatchEvent(heard);
    this.onmessage?.(heard);
  }

  #load(address) {
    const page = this.#frame.contentDocument;
    const script = page.createElement("script");
    script.src = address;
    return new Promise((resolve, reject) => {
      script.onload = resolve;
      script.onerror = reject;
      page.body.append(script);
    });
  }
}

if (location.protocol === "file:") {
  window.IFrameWorker = window.Worker = IFrameWorker;
}
