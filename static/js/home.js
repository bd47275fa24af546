/** The home page: a live board, a live chart and live standings, each with a connection of its own. */
import { pageData, part, setText, stillWanted } from "./dom.js";
import { GAMES } from "./games/registry.js";
import { matchStatusLabel, showStatus } from "./labels.js";
import { connect } from "./live.js";
import { MatchModel } from "./match-model.js";
import "./standings.js";

/**
 * A small view of one match that follows it to its end.
 * @param {HTMLElement} root components/live_match.html
 */
function followMatch(root) {
  const model = new MatchModel(pageData(root.dataset.liveMatch ?? ""));
  const stage = /** @type {HTMLElement} */ (part(root, "stage"));
  const view = GAMES[model.match.game].mount({ stage, side: null }, model);
  let frame = 0;
  let shown = model.last;

  function draw() {
    frame = 0;
    view.show(model.last, model.last === shown + 1 && !stillWanted());
    shown = model.last;
    setText(part(root, "sentence"), model.outcome ? view.result() : view.sentence(model.last));
    showStatus(part(root, "status"), model.match.status, matchStatusLabel(model.match.status));
  }

  draw();
  if (!model.isOpen) return;
  const disconnect = connect({
    path: root.dataset.socket ?? "",
    after: model.seq,
    snapshotUrl: root.dataset.snapshotUrl ?? "",
    onEvent: (event) => {
      const change = model.apply(event);
      if (change === "restart") view.restart();
      if (change === "end") disconnect();
      frame ||= requestAnimationFrame(draw);
    },
    onSnapshot: (snapshot) => {
      model.reset(snapshot);
      view.restart();
      frame ||= requestAnimationFrame(draw);
    },
  });
}

for (const root of document.querySelectorAll("[data-live-match]")) followMatch(/** @type {HTMLElement} */ (root));
