/** The live table of moves and their times; `?seat=` and `?moves=` select the seat and the page. */
import { moveFaultLabel } from "../live/labels.js";
import { element, part, setText } from "../site/dom.js";
import { duration, moveText } from "../site/format.js";
import { isByTurn, pageOf, pageOfTurns, selectMoves } from "./moves-model.js";

export class MovesTable {
  /**
   * @param {HTMLElement} root matches/moves_table.html
   * @param {import("./match-model.js").MatchModel} model
   * @param {import("./game-view.js").GameModule["moveLabel"]} label the game view's labels for moves; absent: the
   * move's code
   */
  constructor(root, model, label) {
    this.root = root;
    this.model = model;
    this.label = label;
    this.body = /** @type {HTMLElement} */ (part(root, "moves-body"));
    this.select = /** @type {HTMLSelectElement} */ (root.querySelector("select"));
    this.page = Number(new URLSearchParams(location.search).get("moves")) || 1;
    this.index = -1;
    this.#listen();
  }

  /** @param {number} index the turn that the page shows */
  show(index) {
    this.index = index;
    const seat = this.select.value === "" ? null : Number(this.select.value);
    const { lines, page, pages } = this.#lines(seat);
    this.body.replaceChildren(...lines.map((line) => this.#row(line)));
    const none = part(this.root, "moves-none");
    if (none) none.hidden = lines.length > 0;
    this.#showPages(page, pages);
  }

  /** @param {number | null} seat */
  #lines(seat) {
    const { model, index } = this;
    if (!model.pages || isByTurn(model.seats, seat)) return pageOf(selectMoves(model, seat, index), this.page);
    const found = pageOfTurns(model.turns, seat, this.page);
    model.want(found.first, found.last);
    return found;
  }

  /** @param {number} page @param {number} pages */
  #showPages(page, pages) {
    this.page = page;
    const links = part(this.root, "moves-pages");
    if (links) links.hidden = pages === 1;
    const text = interpolate(gettext("Page %(page)s of %(pages)s"), { page, pages }, true);
    setText(part(this.root, "moves-page"), text);
    this.#link("previous", page > 1 ? page - 1 : null);
    this.#link("next", page < pages ? page + 1 : null);
  }

  /** @param {string} name @param {number | null} page null: no such page */
  #link(name, page) {
    const link = this.root.querySelector(`[data-moves="${name}"]`);
    if (page === null) {
      link?.removeAttribute("href");
      link?.setAttribute("role", "link"); // without `href`, it is not a link to screen readers
      link?.setAttribute("aria-disabled", "true");
    } else {
      link?.setAttribute("href", address({ moves: String(page) }));
      link?.removeAttribute("role");
      link?.removeAttribute("aria-disabled");
    }
  }

  #listen() {
    this.select.form?.addEventListener("submit", (event) => event.preventDefault());
    this.select.addEventListener("change", () => this.#turnTo(1));
    this.root.addEventListener("click", (event) => {
      const link = /** @type {HTMLElement} */ (event.target).closest("[data-moves]");
      if (!link?.hasAttribute("href") || event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      this.#turnTo(this.page + (/** @type {HTMLElement} */ (link).dataset.moves === "next" ? 1 : -1));
    });
  }

  /** @param {number} page */
  #turnTo(page) {
    this.page = page;
    this.show(this.index);
    history.replaceState(history.state, "", address({ seat: this.select.value, moves: this.page > 1 ? String(this.page) : "" }));
    this.body.closest(".table-wrap")?.scrollTo({ top: 0 });
  }

  /** @param {import("./moves-model.js").MoveLine} line */
  #row({ turn, played }) {
    const seat = this.model.seats[played.seat];
    const mark = /** @type {HTMLTemplateElement | null} */ (document.querySelector(`template[data-seat-mark="${played.seat}"]`));
    const time = (/** @type {number} */ seconds) => element("td", { class: "number" }, duration(seconds));
    return element(
      "tr",
      {},
      element("th", { scope: "row", class: "number" }, element("a", { href: address({ at: String(turn) }), "data-at": turn }, String(turn))),
      element("td", {}, mark && document.importNode(mark.content, true), mark ? " " : null, seat.name),
      element("td", {}, moveText(played.move, this.label)),
      time(played.seconds),
      seat.clock === null ? time(played.cpu) : element("td", { class: "number" }, "–"), // people use no CPU time
      time(played.wall),
      element("td", { class: "moves-table__faults" }, ...faults(played, seat)),
    );
  }
}

/** @param {import("./match-model.js").Played} played @param {import("./match-model.js").Seat} seat */
function faults(played, seat) {
  const badge = (/** @type {string} */ tone, /** @type {string} */ text) => element("span", { class: "badge", "data-tone": tone }, text);
  const refused = interpolate(ngettext("%s answer rejected", "%s answers rejected", played.refused), [played.refused]);
  return [played.fault ? badge("bad", moveFaultLabel(seat, played)) : null, played.refused ? badge("warn", refused) : null];
}

/** @param {Record<string, string>} changes "" removes the parameter @returns {string} this page's URL with them */
function address(changes) {
  const url = new URL(location.href);
  for (const [name, value] of Object.entries(changes)) {
    if (value) url.searchParams.set(name, value);
    else url.searchParams.delete(name);
  }
  return url.href;
}
