/**
 * Save the draft shortly after the last change, and when the reader leaves the page.
 *
 * Invariants: one save at a time; each names the revision that it is based on, so that it does not overwrite another
 * window's edits without asking; a change that could not be saved stays pending.
 */
import { send } from "../site/requests.js";
import { jsonPost } from "./json-post.js";

const PAUSE = 800; // milliseconds without typing
const SAVE_TRIES = 5;
const KEEPALIVE_BYTES = 60_000; // browsers' limit for requests from a closed page

/** @typedef {{files: Record<string, string>, removed: string[], revision: number | null}} Edit */
/** @typedef {"saved" | "changed" | "saving" | "away" | "conflict" | "refused"} SaveState */

export class Draft {
  /**
   * @param {object} options
   * @param {number} options.revision
   * @param {string} options.address
   * @param {string} options.csrf
   * @param {(path: string) => string} options.text returns a file's text
   * @param {(state: SaveState, reason: string) => void} options.onState
   */
  constructor({ revision, address, csrf, text, onState }) {
    this.revision = revision;
    this.address = address;
    this.csrf = csrf;
    this.text = text;
    this.onState = onState;
    /** @type {Set<string>} files that were changed since the last save */
    this.changed = new Set();
    /** @type {Set<string>} */
    this.removed = new Set();
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    /** @type {Promise<boolean>} the save that is running, otherwise the last one */
    this.saving = Promise.resolve(true);
    this.inConflict = false;
    document.addEventListener("visibilitychange", () => document.hidden && this.#onPageHide());
    window.addEventListener("pagehide", () => this.#onPageHide());
    window.addEventListener("beforeunload", (event) => {
      if (this.isDirty && this.#size() > KEEPALIVE_BYTES) event.preventDefault();
    });
  }

  get isDirty() {
    return this.changed.size > 0 || this.removed.size > 0;
  }

  /** @param {string} path */
  change(path) {
    this.changed.add(path);
    this.removed.delete(path);
    this.#soon();
  }

  /** @param {string} path */
  remove(path) {
    this.removed.add(path);
    this.changed.delete(path);
    this.#soon();
  }

  #soon() {
    if (!this.inConflict) this.onState("changed", "");
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.save(), PAUSE);
  }

  /** Discard unsaved changes: the server has just returned the draft's content. @param {number} revision */
  accept(revision) {
    clearTimeout(this.timer);
    this.revision = revision;
    this.changed.clear();
    this.removed.clear();
    this.inConflict = false;
    this.onState("saved", "");
  }

  /** Return the unsaved edits, for a request that also saves. @returns {Edit} */
  edit() {
    return {
      files: Object.fromEntries([...this.changed].map((path) => [path, this.text(path)])),
      removed: [...this.removed],
      revision: this.revision,
    };
  }

  /** @returns {Promise<boolean>} whether everything is saved */
  save() {
    clearTimeout(this.timer);
    this.saving = this.saving.then(() => this.#save());
    return this.saving;
  }

  /** @param {RequestInit} [options] */
  async #save(options = {}) {
    if (!this.isDirty || this.inConflict) return !this.isDirty;
    this.onState("saving", "");
    const answer = await this.request(this.address, this.edit(), options);
    return answer.state === "done";
  }

  /** Overwrite what another window saved. @param {string[]} paths of all files */
  async overwrite(paths) {
    this.inConflict = false;
    for (const path of paths) this.changed.add(path);
    await this.request(this.address, { ...this.edit(), revision: null });
  }

  /**
   * Send a request together with the edits. The edits are saved if the request succeeds, or if the server names the new
   * revision although it refuses the rest of the request.
   * @param {string} address
   * @param {Edit & Record<string, any>} body
   * @param {RequestInit} [options]
   * @returns {Promise<import("../site/requests.js").Answer>}
   */
  async request(address, body, options = {}) {
    const sent = new Map(Object.entries(body.files));
    const patience = { tries: SAVE_TRIES, onAgain: () => this.onState("away", "") };
    const answer = await send(address, { ...jsonPost(this.csrf, body), ...options }, patience);
    if (answer.state === "done" || (answer.state === "refused" && typeof answer.body?.revision === "number")) {
      if (typeof answer.body.revision === "number") this.revision = answer.body.revision;
      for (const [path, text] of sent) if (this.text(path) === text) this.changed.delete(path);
      for (const path of body.removed) this.removed.delete(path);
      this.onState(this.isDirty ? "changed" : "saved", "");
    } else if (answer.state === "refused" && answer.code === "changed_elsewhere") {
      this.inConflict = true;
      this.onState("conflict", answer.reason);
    } else {
      this.onState(answer.state === "refused" ? "refused" : "away", answer.state === "refused" ? answer.reason : "");
    }
    return answer;
  }

  #size() {
    return JSON.stringify(this.edit()).length;
  }

  #onPageHide() {
    if (!this.isDirty || this.inConflict) return;
    clearTimeout(this.timer);
    const keepalive = this.#size() <= KEEPALIVE_BYTES;
    this.saving = this.saving.then(() => this.#save({ keepalive }));
  }
}
