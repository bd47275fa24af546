/**
 * The form to play in a room: a nickname for the lobby before the start, then numbers during the countdown, and their
 * result as soon as the round closes. The last result remains after the room has closed.
 *
 * Invariant: numbers count in the round that the page shows when they are sent, or not at all.
 */
import { part, setText } from "#site/dom.js";
import { fourDecimals, pointsText } from "#site/format.js";
import { send } from "#site/requests.js";
import { ALREADY_SUBMITTED, RefusedError, UnansweredError, callRoomApi, isIdLost, refusalText } from "./interface.js";
import { removalOf, shouldRequestMembership } from "./model.js";

const USER = "arena-room-user"; // the localStorage key of the reader's id in rooms

export class PlayForm {
  /**
   * @param {HTMLFormElement} form
   * @param {import("./model.js").RoomModel} model
   * @param {{number: number, numbers: number}} terms the room's number, and how many numbers to submit per round
   * @param {{onOwn: (player: number) => void, onLobby: (name: string) => void}} options `onOwn`: called when the
   * reader's player is known; `onLobby`: called with the reader's name in the lobby, "" for none
   */
  constructor(form, model, { number, numbers }, { onOwn, onLobby }) {
    this.form = form;
    this.model = model;
    this.room = number;
    this.numbers = numbers;
    this.onOwn = onOwn;
    this.onLobby = onLobby;
    this.isIn = false; // in the lobby
    this.isRemoved = false;
    this.lobbyName = ""; // the reader's name in the lobby
    this.isListed = false; // whether the lobby has shown that name
    this.removals = model.room.removed?.length ?? 0;
    this.known = model.playerCount; // player count when the server was last asked which player the reader is
    this.uid = loadUid() ?? "";
    this.name = "";
    this.sentTo = ""; // the round that the reader submitted to
    this.isSending = false;
    this.hasResult = false; // whether the form shows the result of a round
    this.awaitedRound = 0; // the index of that round while it is open, otherwise 0
    /** @type {number | null} */
    this.player = null;
    this.button = /** @type {HTMLButtonElement} */ (form.querySelector("button"));
    this.leaving = /** @type {HTMLButtonElement | null} */ (part(form, "leave"));
    this.leaving?.addEventListener("click", () => void this.#leave());
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      void this.#submit();
    });
    if (this.uid) void this.#recognize();
    this.draw();
  }

  draw() {
    this.#noticeRemoval();
    const { room } = this.model;
    const isDone = room.round_id === this.sentTo;
    const isLobby = room.state === "waiting";
    const isOver = room.state === "finished";
    this.form.hidden = isOver && !this.hasResult; // the style sheet then leaves only the result of the last round
    if (isOver) setText(this.form.querySelector("h2"), gettext("Your result"));
    const numbers = /** @type {HTMLFieldSetElement | null} */ (part(this.form, "numbers"));
    if (numbers && numbers.hidden !== isLobby) {
      numbers.hidden = numbers.disabled = isLobby; // hidden fields must not be required
      if (!isLobby && !this.isRemoved) this.#showMessage("");
    }
    if (this.leaving) this.leaving.hidden = !(isLobby && this.isIn);
    setText(this.button, isLobby ? (this.isIn ? gettext("Change your nickname") : gettext("Join")) : gettext("Submit"));
    this.button.setAttribute("aria-disabled", String(this.isRemoved || (!isLobby && isDone))); // keeps the focus
    this.#drawWin();
    this.#drawGivenName();
  }

  /** Say that the owner's name for the reader takes precedence in this room, whatever nickname the reader enters. */
  #drawGivenName() {
    const note = part(this.form, "given-name");
    const name = this.player === null ? undefined : this.model.room.renamed?.[this.player];
    const text = name === undefined ? "" : interpolate(gettext("The owner of this room has named you %s here. If you enter another nickname, it will apply only in other rooms."), [name]);
    setText(note, text);
    if (note) note.hidden = !text;
  }

  /** Report a removal by the owner immediately; a page that does not know its own player asks the server. */
  #noticeRemoval() {
    const { room } = this.model;
    const finding = removalOf(room, this);
    this.removals = room.removed?.length ?? 0;
    this.isListed = room.lobby?.includes(this.lobbyName) ?? false;
    if (this.isRemoved || !this.uid || finding === "no") return;
    if (finding === "yes") this.#removed();
    else void this.#findPlayer();
  }

  #removed() {
    this.isRemoved = true;
    this.isIn = false;
    this.onLobby("");
    this.#showMessage(refusalText(new RefusedError("", "removed"), this.numbers), "bad");
  }

  /** Show what a win was worth in the last round. */
  #drawWin() {
    const { last } = this.model;
    setText(part(this.form, "win"), last ? interpolate(gettext("(%s in the last round)"), [last.picks.length]) : "");
  }

  /** Report the reader's points, even if a program or another tab sent the numbers. */
  async roundClosed() {
    const isDue = this.awaitedRound > 0 && this.model.newest >= this.awaitedRound;
    if (isDue || shouldRequestMembership(this.model.playerCount, this)) await this.#findPlayer();
    const gain = this.player === null ? null : this.model.lastGain(this.player);
    if (gain !== null && !this.isRemoved) this.#showGain(gain);
    if (!isDue) return;
    this.awaitedRound = 0;
    if (this.form.contains(document.activeElement)) this.#field("n1")?.select();
  }

  /** @param {number} gain */
  #showGain(gain) {
    const { round, golden } = this.model.last;
    const values = { round, golden: fourDecimals(golden), points: pointsText(Math.abs(gain)) };
    if (gain > 0) this.#showMessage(interpolate(gettext("Round %(round)s: you were nearest to %(golden)s and won %(points)s!"), values, true), "good");
    else if (gain < 0) this.#showMessage(interpolate(gettext("Round %(round)s: you were farthest from %(golden)s and lost %(points)s."), values, true), "bad");
    else this.#showMessage(interpolate(gettext("Round %(round)s: no points. The golden number was %(golden)s."), values, true), "");
    this.hasResult = true;
    this.draw();
  }

  /** @param {string} name @returns {HTMLInputElement | null} */
  #field(name) {
    return this.form.querySelector(`[name="${name}"]`);
  }

  /** @param {string} text @param {"good" | "bad" | ""} tone */
  #showMessage(text, tone = "") {
    this.hasResult = false;
    const message = part(this.form, "message");
    setText(message, text);
    if (message) message.dataset.tone = tone;
  }

  /** Recognize a reader who has played here before. */
  async #recognize() {
    try {
      const state = await callRoomApi("State", { roomid: this.room, uid: this.uid });
      this.name = state.nickName;
      const field = this.#field("nickname");
      if (field && !field.value) field.value = state.nickName;
      if (state.hasSubmitted) this.#sent(state.roundId);
      await this.#findPlayer();
    } catch {
      // An unknown reader enters a nickname.
    }
  }

  async #findPlayer() {
    this.uid ||= loadUid() ?? ""; // another tab may have registered since
    if (this.player !== null || !this.uid) return;
    this.known = this.model.playerCount;
    try {
      const { player, lobby, removed } = await this.#ask("membershipUrl");
      this.isIn = lobby !== null;
      if (removed) this.#removed();
      else if (lobby !== null) this.#joined(lobby);
      if (player !== null) {
        this.player = player;
        this.onOwn(player);
      }
      this.draw();
    } catch {
      // The standings show the points too.
    }
  }

  /**
   * Send the reader's id to one of the room's addresses; throws RefusedError or UnansweredError.
   * @param {"membershipUrl" | "joinUrl" | "leaveUrl"} address
   */
  async #ask(address) {
    const answer = await send(this.form.dataset[address] ?? "", { method: "POST", body: new URLSearchParams({ uid: this.uid }), cache: "no-store" });
    if (answer.state === "done") return answer.body;
    throw answer.state === "refused" ? new RefusedError(answer.reason, answer.code) : new UnansweredError();
  }

  async #join() {
    await this.#introduce(this.#nickname());
    const { name } = await this.#ask("joinUrl");
    this.#joined(name);
  }

  async #leave() {
    try {
      await this.#ask("leaveUrl");
      this.isIn = false;
      this.lobbyName = "";
      this.onLobby("");
      this.#showMessage(gettext("You have left the lobby."));
    } catch (error) {
      this.#showMessage(error instanceof RefusedError ? refusalText(error, this.numbers) : gettext("The site did not respond. Try again."), "bad");
    }
    this.draw();
  }

  /** @param {string} name the reader's name in the room, possibly with a number appended */
  #joined(name) {
    this.lobbyName = name;
    if (this.model.room.state !== "waiting") return;
    this.isIn = true;
    this.onLobby(name);
    this.#showMessage(interpolate(gettext("You joined as %s. The form for your number will appear here when the room starts."), [name]), "good");
    this.draw();
  }

  #nickname() {
    return this.#field("nickname")?.value.trim() ?? "";
  }

  /** @param {string} nickName the reader's name from now on */
  async #introduce(nickName) {
    this.uid ||= loadUid() ?? "";
    if (this.uid && (!nickName || nickName === this.name)) return;
    if (this.uid) {
      try {
        await callRoomApi("NickName", { uid: this.uid, nickName }, "POST");
        this.name = nickName;
        return;
      } catch (error) {
        if (!(error instanceof RefusedError && isIdLost(error))) throw error;
        this.uid = ""; // issued by another installation, or before a loss of data
      }
    }
    // Lists show an alias instead of a secret id, so that nobody else can use the id.
    this.uid = (await callRoomApi("NewUser", { nickName, secret: 1 })).userId;
    this.name = nickName;
    storeUid(this.uid);
  }

  /** Forget the reader's id, which the server no longer knows: the next attempt asks for a new one. */
  #forget() {
    this.uid = "";
    storeUid("");
  }

  /** @param {string} roundId */
  #sent(roundId) {
    this.sentTo = roundId;
    if (this.model.room.round_id === roundId) this.awaitedRound = this.model.room.round;
    const text = ngettext("Your number was accepted. The result will appear when the round closes.", "Your numbers were accepted. The result will appear when the round closes.", this.numbers);
    this.#showMessage(text);
    this.draw();
  }

  async #submit() {
    if (this.isSending || this.button.getAttribute("aria-disabled") === "true") return; // the page already says why
    const values = new FormData(this.form);
    const number = (/** @type {string} */ name) => String(values.get(name) ?? "").trim().replace(",", ".");
    /** @type {Record<string, string>} */
    const named = this.numbers === 2 ? { n1: number("n1"), n2: number("n2") } : { n1: number("n1") };
    const roundId = this.model.room.round_id;
    this.isSending = true;
    try {
      if (this.model.room.state === "waiting") {
        await this.#join();
      } else {
        await this.#introduce(this.#nickname());
        await this.#sendNumbers(roundId, named);
        this.#sent(roundId);
      }
    } catch (error) {
      if (error instanceof RefusedError && isIdLost(error)) this.#forget();
      if (error instanceof RefusedError && error.code === "removed") this.isRemoved = true;
      this.#showMessage(error instanceof RefusedError ? refusalText(error, this.numbers) : this.#unansweredText(roundId), "bad");
    } finally {
      this.isSending = false;
    }
    this.draw();
    part(this.form, "message")?.scrollIntoView({ block: "nearest" }); // it may be behind a phone's bottom bar
  }

  /**
   * Send the numbers again until they arrive or the round closes: a round accepts a player's numbers once.
   * @param {string} roundId
   * @param {Record<string, string>} named
   */
  async #sendNumbers(roundId, named) {
    let isRepeated = false;
    const isWanted = () => this.model.room.round_id === roundId;
    const onAgain = () => {
      isRepeated = true;
      const text = ngettext("Your number has not reached the arena yet. It is being sent again.", "Your numbers have not reached the arena yet. They are being sent again.", this.numbers);
      this.#showMessage(text);
    };
    try {
      await callRoomApi("Submit", { uid: this.uid, rid: roundId, ...named }, "POST", { tries: Infinity, isWanted, onAgain });
    } catch (error) {
      const hasArrived = isRepeated && error instanceof RefusedError && error.code === ALREADY_SUBMITTED;
      if (!hasArrived) throw error;
    }
  }

  /** @param {string} roundId */
  #unansweredText(roundId) {
    if (this.model.room.round_id === roundId) return gettext("The site did not respond. Try again.");
    return ngettext(
      "The site did not respond before the round closed. Your number may not have counted.",
      "The site did not respond before the round closed. Your numbers may not have counted.",
      this.numbers,
    );
  }
}

function loadUid() {
  try {
    return localStorage.getItem(USER);
  } catch {
    return null;
  }
}

/** @param {string} uid */
function storeUid(uid) {
  try {
    localStorage.setItem(USER, uid);
  } catch {
    // Storage may be blocked; the id then lasts only while the page is open.
  }
}
