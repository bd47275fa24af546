// A fake browser environment controlled by a test: sockets, snapshots, the clock.
import { mock } from "node:test";

export class FakeSocket {
  static CONNECTING = 0;
  static OPEN = 1;
  /** @type {FakeSocket[]} */
  static all = [];
  static latest = () => FakeSocket.all.at(-1);

  // set by the connection under test
  /** @type {(() => void) | undefined} */
  onopen;
  /** @type {((message: {data: string}) => void) | undefined} */
  onmessage;
  /** @type {((end: {code: number}) => void) | undefined} */
  onclose;

  constructor(address) {
    this.address = String(address);
    this.closed = false;
    this.readyState = FakeSocket.CONNECTING;
    FakeSocket.all.push(this);
  }

  close() {
    this.closed = true;
  }

  open() {
    this.readyState = FakeSocket.OPEN;
    this.onopen?.();
  }

  say(...events) {
    if (this.readyState === FakeSocket.CONNECTING) this.open();
    for (const event of events) this.onmessage({ data: JSON.stringify(event) });
  }

  end(code) {
    this.onclose({ code });
  }
}

function listener(href) {
  return Object.assign(new EventTarget(), { visibilityState: "visible", location: { href } });
}

/**
 * Reset, and open a page at this URL; `snapshotFor` returns the server's response to a URL, or nothing if it fails.
 */
export function openPage(href, snapshotFor) {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout", "setInterval", "Date"], now: 1_000_000 });
  FakeSocket.all = [];
  Object.assign(globalThis, { WebSocket: FakeSocket, document: listener(href), window: listener(href) });
  Object.defineProperty(globalThis, "navigator", { value: { onLine: true }, configurable: true });
  globalThis.fetch = async (url) => /** @type {any} */ (answerTo(url));

  function answerTo(url) {
    const snapshot = snapshotFor(url);
    const headers = new Headers();
    return snapshot ? { ok: true, headers, json: async () => snapshot } : { ok: false, headers };
  }
}

export const settle = async () => {
  for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
};
