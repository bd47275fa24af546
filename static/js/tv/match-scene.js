/** A live match on the big screen: the board, and beside it the scores, the lead so far and a caption. */
import { LeadViews } from "../matches/evaluation.js";
import { LiveMatch } from "../matches/live-match.js";
import { part, setText } from "../site/dom.js";

const LEADERS = 5; // of a match with more than two seats

/**
 * Choose which seats to show, in which order.
 * @param {number[]} ranks by seat
 * @returns {number[]}
 */
export function leaders(ranks) {
  const order = ranks.map((_, seat) => seat).sort((one, other) => ranks[one] - ranks[other] || one - other);
  return order.slice(0, LEADERS);
}

/** @param {string} result @param {string} caption about the match, may be empty @returns {string} */
function withResult(result, caption) {
  return caption && result ? interpolate(gettext("%(result)s. %(why)s"), { result, why: caption }, true) : result || caption;
}

export class MatchScene {
  /** @param {HTMLElement} scene @param {HTMLElement} root of the live match @param {import("../matches/game-view.js").GameModule} game */
  constructor(scene, root, game) {
    this.scene = scene;
    this.list = part(scene, "seats");
    this.rows = /** @type {HTMLElement[]} */ ([...(this.list?.children ?? [])]);
    this.caption = part(scene, "caption");
    /** @type {LeadViews | null} */
    this.leads = null;
    this.live = new LiveMatch(root, game, (live) => this.#draw(live));
  }

  stop() {
    this.live.stop();
  }

  /** @param {LiveMatch} live */
  #draw({ model, view, isOver }) {
    this.leads ??= new LeadViews(this.scene, model, view, () => {});
    const { last } = model;
    if (last < 0) return;
    this.leads.show(last);
    const scores = view.scores?.(last) ?? [];
    this.rows.forEach((row, seat) => setText(part(row, "score"), scores[seat] ?? ""));
    this.rows.forEach((row, seat) => row.classList.toggle("is-winner", isOver && model.outcome?.winner === seat));
    if (this.rows.length > 2 && view.ranks) this.#order(view.ranks(last));
    const caption = view.caption?.(last, () => this.#draw(this.live)) ?? "";
    setText(this.caption, isOver ? withResult(view.result(), caption) : caption);
    if (this.caption) this.caption.hidden = this.caption.textContent === "";
  }

  /** @param {number[]} ranks by seat */
  #order(ranks) {
    const shown = leaders(ranks);
    const wanted = shown.map((seat) => this.rows[seat]);
    this.rows.forEach((row, seat) => {
      row.hidden = !shown.includes(seat);
      setText(part(row, "rank"), String(ranks[seat]));
    });
    if (wanted.some((row, place) => this.list?.children[place] !== row)) this.list?.prepend(...wanted);
  }
}
