/**
 * Keep a page up to date: numbered events over a WebSocket, and a fresh snapshot whenever one may be missing.
 *
 * - Events are delivered once and in order; after a gap in the numbers, the page loads a snapshot and continues from
 *   it.
 * - A lost connection is retried almost immediately, then with delays of at most a second.
 * - A page that slept or came back from the background does not trust its old socket: it reconnects from its last
 *   number.
 * - When the browser goes offline, the page shows this immediately. A server on the same machine remains reachable: its
 *   next message restores the live state.
 * - If no socket can be opened, the page polls for snapshots every two seconds until one can.
 */
import { request } from "../site/requests.js";

const MAX_DELAY = 1000;
const OFFLINE_AFTER = 3000; // failing for this long counts as being offline
const SERVER_TIMEOUT = 8000; // the server sends something every 4 s: arena/platform/live/hub.py
const MAX_PAUSE = 5000; // after this long in the background, a socket may be silently dead
const MAX_RESYNC_DELAY = 5000; // between snapshots that do not help
const POLL_INTERVAL = 2000; // between snapshots while sockets fail
const HANDSHAKE_TIMEOUT = 1000; // how long a dropped socket may take to open
const IMMEDIATE = 100; // milliseconds; shorter delays are not shown

const FORBIDDEN = 4403;
const UNKNOWN = 4404;
const TRY_AGAIN = 1013;

/**
 * @typedef {"live" | "connecting" | "polling" | "offline"} State
 * @typedef {{seq: number, type: string, within?: number, reveals?: boolean}} LiveEvent `within`: the time in milliseconds over which viewers spread their snapshot requests; `reveals`: a match is over, and a snapshot now shows what was hidden
 * @typedef {object} Options
 * @property {string} path address of the socket, "/ws/matches/12"
 * @property {number} after number of the last event that the page shows
 * @property {string | (() => string)} snapshotUrl the URL of the full state as JSON, with its number as `seq`
 * @property {(event: any) => void} onEvent
 * @property {(snapshot: any) => void} onSnapshot
 * @property {(state: State) => void} [onState]
 */

class Connection {
  /** @param {Options} options */
  constructor(options) {
    this.options = options;
    this.seq = options.after;
    /** @type {WebSocket | null} */
    this.socket = null;
    /** @type {State | null} */
    this.state = null;
    this.ended = false;
    this.resyncing = false;
    this.stale = false; // the server may have lost events: start from a snapshot
    this.polls = false; // snapshots arrive although sockets fail
    this.polledAt = 0;
    this.failures = 0;
    this.resyncs = 0; // since the last event
    this.downSince = Date.now();
    this.lastReceived = Date.now();
    this.ticked = Date.now();
    this.hiddenAt = 0;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    this.watch = setInterval(() => this.tick(), 1000);
    this.onVisibility = () => this.onVisibilityChange();
    this.onOnline = () => this.reconnect();
    this.onOffline = () => this.onBrowserOffline();
    this.onPageShow = (/** @type {PageTransitionEvent} */ event) => event.persisted && this.reconnect();
    document.addEventListener("visibilitychange", this.onVisibility);
    window.addEventListener("online", this.onOnline);
    window.addEventListener("offline", this.onOffline);
    window.addEventListener("pageshow", this.onPageShow);
    this.open();
  }

  close() {
    this.ended = true;
    clearInterval(this.watch);
    document.removeEventListener("visibilitychange", this.onVisibility);
    window.removeEventListener("online", this.onOnline);
    window.removeEventListener("offline", this.onOffline);
    window.removeEventListener("pageshow", this.onPageShow);
    this.closeSocket();
  }

  /** @param {State} state */
  setState(state) {
    if (state === this.state) return;
    this.state = state;
    this.options.onState?.(state);
  }

  open() {
    this.closeSocket();
    this.setDisconnectedState();
    const address = new URL(this.options.path, window.location.href);
    address.protocol = address.protocol.replace("http", "ws");
    address.searchParams.set("after", String(this.seq));
    const socket = new WebSocket(address);
    this.socket = socket;
    this.lastReceived = Date.now();
    socket.onmessage = (message) => this.socket === socket && this.receive(JSON.parse(message.data));
    socket.onclose = (event) => this.socket === socket && this.onClose(event.code);
  }

  setDisconnectedState() {
    this.setState(this.polls ? "polling" : this.isOffline() ? "offline" : "connecting");
  }

  /** Close the socket and cancel the pending attempt. */
  closeSocket() {
    clearTimeout(this.timer);
    const socket = this.socket;
    this.socket = null;
    if (socket) closeQuietly(socket);
  }

  isOffline() {
    return navigator.onLine === false || (this.state !== "live" && Date.now() - this.downSince > OFFLINE_AFTER);
  }

  /** @param {LiveEvent} event */
  receive(event) {
    this.lastReceived = Date.now();
    this.failures = 0;
    if (this.stale || event.type === "resync") {
      this.resync(event.within);
      return;
    }
    this.polls = false;
    this.setState("live");
    if (event.type === "ping" || event.seq <= this.seq) return;
    if (event.seq !== this.seq + 1) {
      this.resync();
      return;
    }
    this.seq = event.seq;
    this.resyncs = 0;
    this.options.onEvent(event);
  }

  /** @param {number} code */
  onClose(code) {
    this.socket = null;
    if (code === FORBIDDEN || code === UNKNOWN) {
      this.close();
      this.setState("offline");
      return;
    }
    if (code === TRY_AGAIN) this.stale = true;
    this.retry(() => this.open());
  }

  /** @param {() => void} action */
  retry(action) {
    if (this.state === "live") this.downSince = Date.now();
    this.setDisconnectedState();
    const delay = Math.min(MAX_DELAY, 100 * 2 ** this.failures) * (0.5 + Math.random() / 2);
    this.failures += 1;
    clearTimeout(this.timer);
    this.timer = setTimeout(action, delay);
  }

  /**
   * Start over from a snapshot, with increasing delays as long as snapshots do not help.
   * @param {number} [within] milliseconds over which all pages that got this event spread their requests
   */
  resync(within = 0) {
    if (this.state === "live") this.downSince = Date.now();
    this.closeSocket();
    this.stale = true; // also if a socket opens before the snapshot arrives
    const delay = (this.resyncs ? Math.min(MAX_RESYNC_DELAY, 100 * 2 ** this.resyncs) : 0) + within * Math.random();
    this.resyncs += 1;
    if (delay > IMMEDIATE) this.setDisconnectedState();
    if (delay) this.timer = setTimeout(() => this.fetchSnapshot(), delay);
    else this.fetchSnapshot();
  }

  async fetchSnapshot() {
    if (this.resyncing || this.ended) return;
    this.resyncing = true;
    const snapshot = await this.requestSnapshot();
    this.resyncing = false;
    if (this.ended) return;
    if (snapshot === null) {
      this.retry(() => this.fetchSnapshot());
      return;
    }
    this.stale = false;
    this.seq = snapshot.seq;
    this.options.onSnapshot(snapshot);
    if (!this.ended) this.open(); // `onSnapshot` may have closed the connection
  }

  /** @returns {Promise<any>} null if the request fails */
  async requestSnapshot() {
    const { snapshotUrl } = this.options;
    try {
      const signal = AbortSignal.timeout(10_000);
      const answer = await request(typeof snapshotUrl === "function" ? snapshotUrl() : snapshotUrl, { cache: "no-store", signal });
      return answer.ok ? await answer.json() : null;
    } catch {
      return null;
    }
  }

  /** Show a snapshot while no socket opens; the next socket continues from it. */
  async poll() {
    if (this.resyncing || Date.now() - this.polledAt < POLL_INTERVAL) return;
    this.polledAt = Date.now();
    const snapshot = await this.requestSnapshot();
    if (this.ended || this.resyncing || this.state === "live") return;
    this.polls = snapshot !== null;
    this.setDisconnectedState();
    if (snapshot === null || snapshot.seq === this.seq) return;
    this.stale = false;
    this.seq = snapshot.seq;
    this.options.onSnapshot(snapshot);
  }

  onVisibilityChange() {
    if (document.visibilityState === "hidden") {
      this.hiddenAt = Date.now();
    } else if (!this.socket || Date.now() - this.hiddenAt > MAX_PAUSE) {
      this.reconnect();
    }
  }

  /** Keep the socket: if the server is on this machine, its next message restores the live state. */
  onBrowserOffline() {
    if (this.state === "live") this.downSince = Date.now();
    this.setState("offline");
  }

  /** Reconnect immediately, from the last number. */
  reconnect() {
    if (this.ended || this.resyncing) return;
    this.failures = 0;
    this.downSince = Date.now();
    this.open();
  }

  /** Detect a computer that slept and a server that fell silent. */
  tick() {
    const now = Date.now();
    const slept = now - this.ticked > MAX_PAUSE && document.visibilityState === "visible";
    this.ticked = now;
    if (slept || (this.socket && now - this.lastReceived > SERVER_TIMEOUT)) this.reconnect();
    if (this.state !== "live" && now - this.downSince > OFFLINE_AFTER) this.poll();
  }
}

/**
 * Close a socket after its handshake, because browsers log an error for one that is closed while connecting. A handshake
 * that takes too long is aborted, because browsers connect to a host with one socket at a time.
 * @param {WebSocket} socket
 */
function closeQuietly(socket) {
  if (socket.readyState !== WebSocket.CONNECTING) {
    socket.close();
    return;
  }
  const abort = setTimeout(() => socket.close(), HANDSHAKE_TIMEOUT);
  socket.onopen = () => socket.close();
  socket.onclose = () => clearTimeout(abort);
}

/**
 * Follow a topic until the returned function is called.
 * @param {Options} options
 * @returns {() => void}
 */
export function connect(options) {
  const connection = new Connection(options);
  return () => connection.close();
}
