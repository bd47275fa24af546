/**
 * The form to play in a room: a nickname, numbers against the countdown, and at once what they brought.
 *
 * Invariant: numbers count in the round that the page shows when they are sent, or not at all.
 */
import { part, setText } from "#site/dom.js";
import { fourDecimals } from "#site/format.js";
import { RefusedError, call } from "./interface.js";
import { ALREADY_SUBMITTED, isIdLost, refusalText } from "./refusals.js";

const USER = "arena-room-user"; // the key under which the browser keeps who one is in rooms

export class PlayForm {
  /**
   * @param {HTMLFormElement} form
   * @param {import("./model.js").RoomModel} model
   * @param {{room: number, numbers: number, placeUrl: string, onOwn: (player: number) => void}} options `placeUrl`: says
   *   which player an id is; `onOwn`: it is known which player one is
   */
  constructor(form, model, { room, numbers, placeUrl, onOwn }) {
    this.form = form;
    this.model = model;
    this.room = room;
    this.numbers = numbers;
    this.placeUrl = placeUrl;
    this.onOwn = onOwn;
    this.uid = kept() ?? "";
    this.name = "";
    this.sentTo = ""; // the round in which one's numbers count
    this.isEarly = false;
    this.isSending = false;
    this.waits = 0; // the index of that round, while it is open
    /** @type {number | null} */
    this.player = null;
    this.button = /** @type {HTMLButtonElement} */ (form.querySelector("button"));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      void this.#submit();
    });
    if (this.uid) void this.#recognise();
    this.draw();
  }

  draw() {
    const { room } = this.model;
    const isDone = room.round_id === this.sentTo;
    this.form.hidden = room.state === "finished";
    this.button.setAttribute("aria-disabled", String(room.state !== "running" || isDone)); // which keeps the focus
    const isEarly = room.state === "waiting";
    if (isEarly !== this.isEarly) this.#say(isEarly ? gettext("You can submit as soon as the room has started.") : "");
    this.isEarly = isEarly;
  }

  /** A round closed: say what one got. */
  async roundClosed() {
    if (this.waits === 0 || this.model.newest < this.waits) return;
    this.waits = 0;
    if (this.player === null) await this.#findPlayer();
    const gain = this.player === null ? null : this.model.lastGain(this.player);
    if (gain !== null) this.#sayGain(gain);
    if (this.form.contains(document.activeElement)) this.#field("n1")?.select();
  }

  /** @param {number} gain */
  #sayGain(gain) {
    const golden = fourDecimals(this.model.last.golden);
    const points = { golden, points: Math.abs(gain) };
    if (gain > 0) this.#say(interpolate(gettext("You were nearest to %(golden)s: %(points)s points!"), points, true), "good");
    else if (gain < 0) this.#say(interpolate(gettext("You were farthest from %(golden)s: you lose %(points)s points."), points, true), "bad");
    else this.#say(interpolate(gettext("No points this time: the golden number was %s."), [golden]), "");
  }

  /** @param {string} name @returns {HTMLInputElement | null} */
  #field(name) {
    return this.form.querySelector(`[name="${name}"]`);
  }

  /** @param {string} text @param {"good" | "bad" | ""} tone */
  #say(text, tone = "") {
    const said = part(this.form, "said");
    setText(said, text);
    if (said) said.dataset.tone = tone;
  }

  /** Somebody who played here before is known again. */
  async #recognise() {
    try {
      const state = await call("State", { roomid: this.room, uid: this.uid });
      this.name = state.nickName;
      const field = this.#field("nickname");
      if (field && !field.value) field.value = state.nickName;
      if (state.hasSubmitted) this.#sent(state.roundId);
      await this.#findPlayer();
    } catch {
      // Whoever is not known gives a name.
    }
  }

  async #findPlayer() {
    try {
      const answer = await fetch(this.placeUrl, { method: "POST", body: new URLSearchParams({ uid: this.uid }), cache: "no-store" });
      const { place } = answer.ok ? await answer.json() : { place: null };
      if (place === null) return;
      this.player = place;
      this.onOwn(place);
    } catch {
      // The standings show it too.
    }
  }

  /** @param {string} nickName who one is in rooms from now on */
  async #introduce(nickName) {
    if (this.uid && (!nickName || nickName === this.name)) return;
    if (this.uid) {
      try {
        await call("NickName", { uid: this.uid, nickName }, "POST");
        this.name = nickName;
        return;
      } catch (error) {
        if (!(error instanceof RefusedError && isIdLost(error))) throw error;
        this.uid = ""; // another installation's, or one of before its data were lost
      }
    }
    // Lists show an alias instead of a secret id, so that nobody else can play by it.
    this.uid = (await call("NewUser", { nickName, secret: 1 })).userId;
    this.name = nickName;
    keep(this.uid);
  }

  /** @param {string} roundId */
  #sent(roundId) {
    this.sentTo = roundId;
    if (this.model.room.round_id === roundId) this.waits = this.model.room.round;
    this.#say(gettext("Your numbers count. The result comes when the round closes."));
    this.draw();
  }

  async #submit() {
    if (this.isSending || this.button.getAttribute("aria-disabled") === "true") return; // the page says what it waits for
    const given = new FormData(this.form);
    const number = (/** @type {string} */ name) => String(given.get(name) ?? "").trim().replace(",", ".");
    /** @type {Record<string, string>} */
    const named = this.numbers === 2 ? { n1: number("n1"), n2: number("n2") } : { n1: number("n1") };
    const roundId = this.model.room.round_id;
    this.isSending = true;
    try {
      await this.#introduce(String(given.get("nickname")).trim());
      await this.#sendNumbers(roundId, named);
      this.#sent(roundId);
    } catch (error) {
      if (error instanceof RefusedError && isIdLost(error)) this.uid = "";
      this.#say(error instanceof RefusedError ? refusalText(error) : this.#unansweredText(roundId), "bad");
    } finally {
      this.isSending = false;
    }
    this.draw();
  }

  /**
   * A round takes numbers once: they are sent again until they arrived or the round has closed.
   * @param {string} roundId
   * @param {Record<string, string>} named
   */
  async #sendNumbers(roundId, named) {
    let isRepeated = false;
    const isWanted = () => this.model.room.round_id === roundId;
    const onAgain = () => {
      isRepeated = true;
      this.#say(gettext("Your numbers have not reached the arena yet. They are sent again."));
    };
    try {
      await call("Submit", { uid: this.uid, rid: roundId, ...named }, "POST", { tries: Infinity, isWanted, onAgain });
    } catch (error) {
      const hasArrived = isRepeated && error instanceof RefusedError && error.code === ALREADY_SUBMITTED;
      if (!hasArrived) throw error;
    }
  }

  /** @param {string} roundId */
  #unansweredText(roundId) {
    if (this.model.room.round_id === roundId) return gettext("The site did not answer. Try again.");
    return gettext("The site did not answer before the round closed. Your numbers may not have counted.");
  }
}

function kept() {
  try {
    return localStorage.getItem(USER);
  } catch {
    return null;
  }
}

/** @param {string} uid */
function keep(uid) {
  try {
    localStorage.setItem(USER, uid);
  } catch {
    // Storage may be forbidden; one is known for as long as the page is open then.
  }
}
