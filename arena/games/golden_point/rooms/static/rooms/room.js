/** A room's page: follows the room and redraws what changed at most once per frame. */
import { GoldenChart } from "../../../static/golden_point/chart.js";
import { leaderLabels } from "../../../static/golden_point/leaders.js";
import { saveFile } from "#site/save-file.js";
import { connect } from "#live/connection.js";
import { showConnection } from "#live/labels.js";
import { pageData, part, setText } from "#site/dom.js";
import { request, send } from "#site/requests.js";
import { RoomControls } from "./controls.js";
import { RoomModel } from "./model.js";
import { PlayForm } from "./play.js";
import { startProjector } from "./projector.js";
import { RoomStatus } from "./room-status.js";
import { ServerClock } from "./server-clock.js";
import { RoomStandings, drawRank } from "./standings.js";

const ANNOUNCEMENT_INTERVAL = 10_000; // milliseconds between screen reader announcements
const SLEEP_THRESHOLD = 3000; // milliseconds that `Date.now()` gains on `performance.now()` while the computer sleeps
const MAX_TRIES = 4; // to fetch earlier rounds while the site is busy or unreachable
const MAX_LOADED_PICKS = 200_000; // rounds × seats that a page loads; the download has all

class RoomPage {
  /** @param {HTMLElement} root */
  constructor(root) {
    const { terms, snapshot, explained } = pageData("room");
    this.root = root;
    this.terms = terms;
    this.model = new RoomModel(snapshot, document.documentElement.lang);
    this.clock = new ServerClock();
    this.clock.sync(snapshot.at);
    /** @type {GoldenChart | null} */
    this.chart = null;
    /** @type {number | null} the reader as a player */
    this.player = null;
    this.moderated = ""; // the players whom the owner has removed or renamed, as last drawn
    this.status = new RoomStatus(root, this.model, terms, this.clock, explained);
    this.standings = new RoomStandings(/** @type {HTMLElement} */ (part(root, "standings")), this.model, (seats) => this.chart?.choose(seats));
    const form = /** @type {HTMLFormElement | null} */ (part(root, "play"));
    this.play = form && new PlayForm(form, this.model, terms, { onOwn: (player) => this.#own(player), onLobby: (name) => this.#joined(name) });
    this.controls = new RoomControls(root, this.model);
    this.frame = 0;
    this.hasClosed = true; // whether a closed round has not been drawn yet
    this.announcedAt = 0;
    this.syncedAt = { clock: Date.now(), measure: performance.now() };
    this.#draw();
    this.#offerExport();
    this.#connect();
    if (snapshot.rounds.length > 0) void this.#loadEarlier();
  }

  /** @param {number} player */
  #own(player) {
    this.player = player;
    this.standings.showOwn(player);
    drawRank(this.model, player);
  }

  /** @param {string} name the reader's name in the lobby, "" after leaving it */
  #joined(name) {
    const lobby = part(this.root, "lobby");
    if (lobby) lobby.dataset.own = name;
    this.status.draw();
  }

  #connect() {
    const { socket = "" } = this.root.dataset;
    connect({
      path: socket,
      after: pageData("room").snapshot.seq,
      snapshotUrl: () => this.#snapshotUrl(),
      onEvent: (event) => this.#update(event.at, this.model.apply(event)),
      onSnapshot: (snapshot) => {
        const newest = this.model.newest;
        this.model.reset(snapshot);
        this.#update(snapshot.at, this.model.newest > newest);
      },
      onState: (state) => {
        showConnection(part(this.root, "connection"), state);
        if (state === "live") void this.#resyncClock();
      },
    });
  }

  #snapshotUrl() {
    return `${this.root.dataset.snapshotUrl}?since=${this.model.newest}`;
  }

  /** Correct the clock after the computer slept: meanwhile, `performance.now()` may not have advanced. */
  async #resyncClock() {
    const { clock, measure } = this.syncedAt;
    if (Date.now() - clock - (performance.now() - measure) < SLEEP_THRESHOLD) return;
    const answer = await request(this.#snapshotUrl(), { cache: "no-store" }).catch(() => null);
    if (answer?.ok) this.#sync((await answer.json()).at);
  }

  /** @param {number} at */
  #sync(at) {
    this.clock.sync(at);
    this.syncedAt = { clock: Date.now(), measure: performance.now() };
  }

  /** @param {number} at the server's time @param {boolean} hasClosed whether a new round has closed */
  #update(at, hasClosed) {
    this.#sync(at);
    if (hasClosed) {
      this.hasClosed = true;
      this.#announce();
      const title = part(this.root, "standings-title");
      setText(title, gettext("Today's scores"));
      title?.removeAttribute("data-day");
      void this.play?.roundClosed();
    }
    this.frame ||= requestAnimationFrame(() => {
      this.frame = 0;
      this.#draw();
    });
  }

  /** Announce rounds to screen readers: always the last, but only some of the others, because rounds may be short. */
  #announce() {
    if (Date.now() - this.announcedAt < ANNOUNCEMENT_INTERVAL && this.model.room.state !== "finished") return;
    this.announcedAt = Date.now();
    setText(part(this.root, "announce"), this.status.sentence());
  }

  #draw() {
    this.status.draw();
    this.controls.draw();
    this.play?.draw();
    const { removed, renamed } = this.model.room;
    const moderated = JSON.stringify([removed, renamed]);
    if (!this.hasClosed && moderated === this.moderated) return;
    this.moderated = moderated;
    this.standings.draw();
    drawRank(this.model, this.player);
    this.#drawChart();
    this.hasClosed = false;
  }

  #drawChart() {
    const { model } = this;
    if (model.newest === 0) return;
    this.chart ??= new GoldenChart(/** @type {HTMLElement} */ (part(this.root, "chart")), {
      seats: model.seats,
      total: this.terms.rounds,
      leaders: () => this.#leaders(),
      onEarlier: () => void this.#loadEarlier(),
    });
    this.chart.draw(model.rounds, model.newest, model.oldest);
  }

  /** Return the top of the standings, for the projector's chart. */
  #leaders() {
    const { model } = this;
    const best = model.standings().flatMap(({ seat, ...one }) => (one.rank > 0 && seat !== undefined ? [{ seat, ...one }] : []));
    return leaderLabels(best, model.rounds[model.newest].numbers);
  }

  /** Load missing rounds as far back as the chart shows them: the last hundred by default. */
  async #loadEarlier() {
    if (this.loading) return;
    this.loading = true;
    try {
      while (this.model.oldest > 1 && this.#isWanted()) {
        const before = this.model.oldest;
        const address = `${this.root.dataset.roundsUrl}?before=${before}`;
        const answer = await send(address, { cache: "no-store" }, { tries: MAX_TRIES, isWanted: () => this.#isWanted() });
        if (answer.state !== "done") break; // retried the next time the reader looks back
        this.model.addEarlier(answer.body);
        this.#drawChart();
        if (this.model.oldest === before) break;
      }
    } finally {
      this.loading = false;
    }
  }

  #isWanted() {
    const { oldest, newest, seats } = this.model;
    if ((newest - oldest) * seats.length > MAX_LOADED_PICKS) return false;
    const shown = this.chart?.window;
    if (!shown || shown.isAll) return true;
    const width = shown.width ?? 0;
    return oldest > (shown.end ?? newest) - width + 1;
  }

  #offerExport() {
    const button = document.querySelector("[data-export-chart]");
    button?.addEventListener("click", async () => {
      const image = await this.chart?.exportPng(document.querySelector("h1")?.textContent?.trim() ?? "");
      if (image) saveFile(image, `room-${this.terms.number}-round-${this.model.newest}.png`);
    });
  }
}

startProjector();
for (const root of document.querySelectorAll("[data-room]")) new RoomPage(/** @type {HTMLElement} */ (root));
