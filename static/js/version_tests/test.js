/**
 * The page of a version test: its parts are rendered by the server, and refreshed on each event until the test ends.
 */
import { connect } from "../live/connection.js";
import { showConnection } from "../live/labels.js";
import { refreshParts } from "../live/refresh.js";
import { part } from "../site/dom.js";

const ACTIVE = ["waiting", "running"];

/** @param {HTMLElement} root the head of version_tests/test.html */
function follow(root) {
  const { after = "0", socket = "", snapshotUrl = "" } = root.dataset;
  const container = part(root, "connection");
  /** @param {{status: string}} message */
  const show = ({ status }) => {
    refreshParts();
    if (ACTIVE.includes(status)) return;
    disconnect();
    if (container) container.hidden = true;
  };
  const disconnect = connect({
    path: socket,
    after: Number(after),
    snapshotUrl,
    onEvent: show,
    onSnapshot: show,
    onState: (state) => showConnection(container, state),
  });
}

for (const root of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('[data-version-test][data-active="1"]'))) follow(root);
