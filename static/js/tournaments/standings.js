/** The tournament page: follows a tournament and redraws what changed, at most once per frame. */
import { connect } from "../live/connection.js";
import { showStatus, tournamentStatusLabel } from "../live/labels.js";
import { refreshParts } from "../live/refresh.js";
import { pageData, part, setText } from "../site/dom.js";
import { send } from "../site/requests.js";
import { StandingsModel } from "./standings-model.js";
import { StandingsView } from "./standings-view.js";

const OVER = ["finished", "cancelled"];
const MAX_TRIES = 5; // to fetch the standings while the site is busy
const ANNOUNCEMENT_INTERVAL = 10_000; // milliseconds between screen reader announcements

/**
 * @param {HTMLElement} root an element with data-tournament, data-socket and data-snapshot-url
 * @returns {() => void} a function that stops following
 */
export function followStandings(root) {
  const model = new StandingsModel(pageData(root.dataset.tournament ?? ""), document.documentElement.lang);
  const view = new StandingsView(root, model);
  let frame = 0;
  let announcedAt = 0;

  function draw() {
    frame = 0;
    view.draw();
    root.dataset.status = model.status;
    showStatus(document.querySelector("[data-tournament-status]"), model.status, tournamentStatusLabel(model.status));
    if (Date.now() - announcedAt < ANNOUNCEMENT_INTERVAL && !OVER.includes(model.status)) return;
    announcedAt = Date.now();
    setText(part(root, "announce"), view.sentence());
  }

  /** Fetch the rows if they are paged or newly released: the event then says only that there is more to see. */
  async function fetchRows() {
    const answer = await send(root.dataset.snapshotUrl ?? "", { cache: "no-store" }, { tries: MAX_TRIES });
    if (answer.state === "done") model.reset(answer.body);
  }

  /** @param {any} event as published by arena/tournaments */
  async function take(event) {
    const before = model.status;
    if (event.refetch) await fetchRows();
    const hasNewRows = model.apply(event);
    if (hasNewRows || model.status !== before || event.redraw || event.refetch || event.type === "entries") await refreshParts();
    frame ||= requestAnimationFrame(draw);
  }

  view.draw();
  if (OVER.includes(model.status) && !(model.withheld && model.status === "finished")) return () => {};
  return connect({
    path: root.dataset.socket ?? "",
    after: model.seq,
    snapshotUrl: root.dataset.snapshotUrl ?? "",
    onEvent: take,
    onSnapshot: async (snapshot) => {
      model.reset(snapshot);
      await refreshParts();
      frame ||= requestAnimationFrame(draw);
    },
    onState: (state) => view.connection(state),
  });
}

for (const root of document.querySelectorAll("[data-tournament]")) followStandings(/** @type {HTMLElement} */ (root));
