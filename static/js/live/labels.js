/** Labels for the codes in snapshots and events. */

/** @param {string} kind @returns {string} the label of a fault */
export function faultLabel(kind) {
  /** @type {Record<string, string>} */
  const labels = {
    start: gettext("Did not start"),
    timeout: gettext("Out of time"),
    silence: gettext("No move for five minutes"),
    illegal_move: gettext("Illegal move"),
    crash: gettext("Crashed"),
    exit: gettext("Exited"),
    memory: gettext("Out of memory"),
    output: gettext("Out of disk space"),
    bad_message: gettext("Protocol error"),
    resigned: gettext("Resigned"),
  };
  return labels[kind] ?? kind;
}

/**
 * Return the label of a fault in a move. At the end of the match, the seat's fault can be more precise than the move's:
 * see arena/matches/seat_faults.py.
 * @param {{fault: string | null}} seat
 * @param {{fault: string | null}} played
 * @returns {string} "" without a fault
 */
export function moveFaultLabel(seat, played) {
  return played.fault ? faultLabel(seat.fault ?? played.fault) : "";
}

/** @param {string} status @returns {string} the state of a match */
export function matchStatusLabel(status) {
  /** @type {Record<string, string>} */
  const labels = {
    planned: gettext("Scheduled"),
    queued: gettext("Waiting for a worker"),
    running: gettext("Live"),
    finished: gettext("Finished"),
    void: gettext("Void"),
    cancelled: gettext("Cancelled"),
  };
  return labels[status] ?? status;
}

/** @param {string} status @returns {string} the state of a tournament */
export function tournamentStatusLabel(status) {
  /** @type {Record<string, string>} */
  const labels = {
    open: gettext("Open for entries"),
    frozen: gettext("Entries frozen"),
    running: gettext("Running"),
    paused: gettext("Paused"),
    finished: gettext("Finished"),
    cancelled: gettext("Cancelled"),
  };
  return labels[status] ?? status;
}

/** @param {string} reason @returns {string} why an entry does not play; "" if it does */
export function entryReasonLabel(reason) {
  /** @type {Record<string, string>} */
  const labels = {
    no_upload: gettext("No version was uploaded before entries closed."),
    check_failed: gettext("No version had passed its check when entries closed."),
    check_unfinished: gettext("The check had not finished ten minutes after entries closed."),
    check_void: gettext("The arena could not run the check; the organizer has been notified."),
    retired: gettext("The bot was retired by its author before entries closed."),
    by_author: gettext("Withdrawn by its author."),
    by_organizer: gettext("Withdrawn by the organizer."),
  };
  return labels[reason] ?? reason;
}

/** @param {import("./connection.js").State} state @returns {string} how up to date the page is */
export function connectionLabel(state) {
  /** @type {Record<string, string>} */
  const labels = {
    live: gettext("Connected"),
    connecting: gettext("Connecting…"),
    polling: gettext("Updated every few seconds"),
    offline: gettext("No connection"),
  };
  return labels[state] ?? state;
}

/**
 * Set the badge in `container` to another status.
 * @param {Element | null} container
 * @param {string} status
 * @param {string} label
 */
export function showStatus(container, status, label) {
  const badge = /** @type {HTMLElement | null} */ (container?.matches(".badge") ? container : container?.querySelector(".badge") ?? null);
  if (!badge || badge.dataset.status === status) return;
  badge.dataset.status = status;
  badge.textContent = label;
}

/** @param {HTMLElement | null} container a `.connection` @param {import("./connection.js").State} state */
export function showConnection(container, state) {
  if (!container) return;
  container.hidden = false;
  container.dataset.state = state;
  container.textContent = connectionLabel(state);
}
