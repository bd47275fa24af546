/**
 * Keeps a page right: numbered events by WebSocket, and a fresh snapshot wherever one could be missing.
 *
 * - An event is delivered once, in order; a gap in the numbers leads to a snapshot, then to what follows on it.
 * - A lost connection is tried again at once, then at most a second later each time.
 * - A page that slept or came back from the background does not trust its old socket: it asks from its last number.
 */

const LONGEST_DELAY = 1000;
const OFFLINE_AFTER = 3000; // trying in vain for this long is being offline
const SILENCE = 20_000; // the server says something every 15 s
const DOUBTFUL = 5000; // after so long out of sight a socket may be dead without knowing
const LONGEST_RESYNC_DELAY = 5000; // between snapshots that do not help

const FORBIDDEN = 4403;
const UNKNOWN = 4404;
const TRY_AGAIN = 1013;

/**
 * @typedef {"live" | "connecting" | "offline"} State
 * @typedef {{seq: number, type: string}} LiveEvent
 * @typedef {object} Options
 * @property {string} path address of the socket, "/ws/matches/12"
 * @property {number} after number of the last event that the page shows
 * @property {string} snapshotUrl where the whole is to be had as JSON, with its number as `seq`
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
    this.stale = false; // events may have been lost on the server's side: start from a snapshot
    this.failures = 0;
    this.resyncs = 0; // since the last event
    this.downSince = Date.now();
    this.heard = Date.now();
    this.ticked = Date.now();
    this.hiddenAt = 0;
    this.timer = 0;
    this.watch = setInterval(() => this.tick(), 1000);
    this.onVisibility = () => this.visibilityChanged();
    this.onOnline = () => this.reconnect();
    this.onPageShow = (/** @type {PageTransitionEvent} */ event) => event.persisted && this.reconnect();
    document.addEventListener("visibilitychange", this.onVisibility);
    window.addEventListener("online", this.onOnline);
    window.addEventListener("pageshow", this.onPageShow);
    this.open();
  }

  close() {
    this.ended = true;
    clearInterval(this.watch);
    document.removeEventListener("visibilitychange", this.onVisibility);
    window.removeEventListener("online", this.onOnline);
    window.removeEventListener("pageshow", this.onPageShow);
    this.drop();
  }

  /** @param {State} state */
  say(state) {
    if (state === this.state) return;
    this.state = state;
    this.options.onState?.(state);
  }

  open() {
    this.drop();
    this.say(this.isOffline() ? "offline" : "connecting");
    const address = new URL(this.options.path, window.location.href);
    address.protocol = address.protocol.replace("http", "ws");
    address.searchParams.set("after", String(this.seq));
    const socket = new WebSocket(address);
    this.socket = socket;
    this.heard = Date.now();
    socket.onmessage = (message) => this.socket === socket && this.receive(JSON.parse(message.data));
    socket.onclose = (event) => this.socket === socket && this.lost(event.code);
  }

  /** Forget the socket and whatever was planned. */
  drop() {
    clearTimeout(this.timer);
    const socket = this.socket;
    this.socket = null;
    socket?.close();
  }

  isOffline() {
    return navigator.onLine === false || (this.state !== "live" && Date.now() - this.downSince > OFFLINE_AFTER);
  }

  /** @param {LiveEvent} event */
  receive(event) {
    this.heard = Date.now();
    this.failures = 0;
    if (this.stale || event.type === "resync") {
      this.resync();
      return;
    }
    this.say("live");
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
  lost(code) {
    this.socket = null;
    if (code === FORBIDDEN || code === UNKNOWN) {
      this.close();
      this.say("offline");
      return;
    }
    if (code === TRY_AGAIN) this.stale = true;
    this.retry(() => this.open());
  }

  /** @param {() => void} action */
  retry(action) {
    if (this.state === "live") this.downSince = Date.now();
    this.say(this.isOffline() ? "offline" : "connecting");
    const delay = Math.min(LONGEST_DELAY, 100 * 2 ** this.failures) * (0.5 + Math.random() / 2);
    this.failures += 1;
    clearTimeout(this.timer);
    this.timer = setTimeout(action, delay);
  }

  /** Start over from a snapshot; ones that do not help come at growing distances. */
  resync() {
    if (this.state === "live") this.downSince = Date.now();
    this.drop();
    const delay = this.resyncs ? Math.min(LONGEST_RESYNC_DELAY, 100 * 2 ** this.resyncs) : 0;
    this.resyncs += 1;
    if (delay) this.timer = setTimeout(() => this.fetchSnapshot(), delay);
    else this.fetchSnapshot();
  }

  async fetchSnapshot() {
    if (this.resyncing || this.ended) return;
    this.resyncing = true;
    let snapshot = null;
    try {
      const signal = AbortSignal.timeout(10_000);
      const answer = await fetch(this.options.snapshotUrl, { cache: "no-store", signal });
      if (answer.ok) snapshot = await answer.json();
    } catch {
      // Tried again below, like an answer that is no snapshot.
    }
    this.resyncing = false;
    if (this.ended) return;
    if (snapshot === null) {
      this.retry(() => this.fetchSnapshot());
      return;
    }
    this.stale = false;
    this.seq = snapshot.seq;
    this.options.onSnapshot(snapshot);
    if (!this.ended) this.open(); // the page may have seen all it came for
  }

  visibilityChanged() {
    if (document.visibilityState === "hidden") {
      this.hiddenAt = Date.now();
    } else if (!this.socket || Date.now() - this.hiddenAt > DOUBTFUL) {
      this.reconnect();
    }
  }

  /** Ask at once, from the last number. */
  reconnect() {
    if (this.ended || this.resyncing) return;
    this.failures = 0;
    this.downSince = Date.now();
    this.open();
  }

  /** Notice a machine that slept and a server that fell silent. */
  tick() {
    const now = Date.now();
    const slept = now - this.ticked > DOUBTFUL && document.visibilityState === "visible";
    this.ticked = now;
    if (slept || (this.socket && now - this.heard > SILENCE)) this.reconnect();
  }
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
