/**
 * Keeps a page right: numbered events by WebSocket, and a fresh snapshot wherever one could be missing.
 *
 * - An event is delivered once, in order; a gap in the numbers leads to a snapshot, then to what follows on it.
 * - A lost connection is tried again at once, then at most a second later each time.
 * - A page that slept or came back from the background does not trust its old socket: it asks from its last number.
 * - A browser without a network says so at once; only a word from the server proves the contrary, one on the same machine.
 * - Where no socket comes through, snapshots do: every other second, until one does.
 */

const LONGEST_DELAY = 1000;
const OFFLINE_AFTER = 3000; // trying in vain for this long is being offline
const SILENCE = 8000; // the server says something every 4 s: arena/platform/live/hub.py
const DOUBTFUL = 5000; // after so long out of sight a socket may be dead without knowing
const LONGEST_RESYNC_DELAY = 5000; // between snapshots that do not help
const POLL = 2000; // between snapshots where sockets fail
const AT_ONCE = 100; // milliseconds that nobody has to be told of

const FORBIDDEN = 4403;
const UNKNOWN = 4404;
const TRY_AGAIN = 1013;

/**
 * @typedef {"live" | "connecting" | "polling" | "offline"} State
 * @typedef {{seq: number, type: string, within?: number, reveals?: boolean}} LiveEvent `within`: many ask for a snapshot, spread over so many milliseconds; `reveals`: a match is over, and a snapshot now shows what was hidden
 * @typedef {object} Options
 * @property {string} path address of the socket, "/ws/matches/12"
 * @property {number} after number of the last event that the page shows
 * @property {string | (() => string)} snapshotUrl where the whole is to be had as JSON, with its number as `seq`
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
    this.polls = false; // snapshots come through where sockets do not
    this.polledAt = 0;
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
    this.onOffline = () => this.goneOffline();
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
    this.sayDown();
    const address = new URL(this.options.path, window.location.href);
    address.protocol = address.protocol.replace("http", "ws");
    address.searchParams.set("after", String(this.seq));
    const socket = new WebSocket(address);
    this.socket = socket;
    this.heard = Date.now();
    socket.onmessage = (message) => this.socket === socket && this.receive(JSON.parse(message.data));
    socket.onclose = (event) => this.socket === socket && this.lost(event.code);
  }

  sayDown() {
    this.say(this.polls ? "polling" : this.isOffline() ? "offline" : "connecting");
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
      this.resync(event.within);
      return;
    }
    this.polls = false;
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
    this.sayDown();
    const delay = Math.min(LONGEST_DELAY, 100 * 2 ** this.failures) * (0.5 + Math.random() / 2);
    this.failures += 1;
    clearTimeout(this.timer);
    this.timer = setTimeout(action, delay);
  }

  /**
   * Start over from a snapshot; ones that do not help come at growing distances.
   * @param {number} [within] milliseconds over which all those who were told so spread their questions
   */
  resync(within = 0) {
    if (this.state === "live") this.downSince = Date.now();
    this.drop();
    this.stale = true; // also for a socket that opens before the snapshot is there
    const delay = (this.resyncs ? Math.min(LONGEST_RESYNC_DELAY, 100 * 2 ** this.resyncs) : 0) + within * Math.random();
    this.resyncs += 1;
    if (delay > AT_ONCE) this.sayDown();
    if (delay) this.timer = setTimeout(() => this.fetchSnapshot(), delay);
    else this.fetchSnapshot();
  }

  async fetchSnapshot() {
    if (this.resyncing || this.ended) return;
    this.resyncing = true;
    const snapshot = await this.askForSnapshot();
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

  /** @returns {Promise<any>} null where there is no answer, or one that is no snapshot */
  async askForSnapshot() {
    const { snapshotUrl } = this.options;
    try {
      const signal = AbortSignal.timeout(10_000);
      const answer = await fetch(typeof snapshotUrl === "function" ? snapshotUrl() : snapshotUrl, { cache: "no-store", signal });
      return answer.ok ? await answer.json() : null;
    } catch {
      return null;
    }
  }

  /** Show a snapshot while no socket opens; the next socket goes on from it. */
  async poll() {
    if (this.resyncing || Date.now() - this.polledAt < POLL) return;
    this.polledAt = Date.now();
    const snapshot = await this.askForSnapshot();
    if (this.ended || this.resyncing || this.state === "live") return;
    this.polls = snapshot !== null;
    this.sayDown();
    if (snapshot === null || snapshot.seq === this.seq) return;
    this.stale = false;
    this.seq = snapshot.seq;
    this.options.onSnapshot(snapshot);
  }

  visibilityChanged() {
    if (document.visibilityState === "hidden") {
      this.hiddenAt = Date.now();
    } else if (!this.socket || Date.now() - this.hiddenAt > DOUBTFUL) {
      this.reconnect();
    }
  }

  /** The socket stays: where the site is on this machine, its next word says that all is well. */
  goneOffline() {
    if (this.state === "live") this.downSince = Date.now();
    this.say("offline");
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
    if (this.state !== "live" && now - this.downSince > OFFLINE_AFTER) this.poll();
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
