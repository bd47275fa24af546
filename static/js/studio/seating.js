/**
 * Move the players on a run's board, because they change seats from match to match.
 *
 * Elements with `data-identity` name the player in that seat: each seat has the same number of them, in the same order.
 */

/** @typedef {import("../matches/match-model.js").Seat} Seat */

/** @param {Seat[]} seats @returns {string[]} each player's identity, which does not depend on the seat */
export function playersOf(seats) {
  return seats.map(({ version, bot_url: url, name }) => (version === null ? "own" : url || name));
}

/**
 * @param {string[]} before the players by seat
 * @param {string[]} after the same players in other seats
 * @returns {number[]} by seat, the previous seat of its player
 */
export function previousSeats(before, after) {
  const left = before.map((player, seat) => ({ player, seat }));
  return after.map((player, seat) => {
    const place = left.findIndex((one) => one.player === player);
    return place < 0 ? seat : left.splice(place, 1)[0].seat;
  });
}

/** @param {HTMLElement} root @param {number[]} from by seat, the previous seat of its player */
export function moveIdentities(root, from) {
  const bySeat = from.map((_, seat) => /** @type {HTMLElement[]} */ ([...root.querySelectorAll(`[data-identity="${seat}"]`)]));
  const places = bySeat.map((elements) =>
    elements.map((element) => {
      const place = document.createComment("");
      element.replaceWith(place);
      return place;
    }),
  );
  from.forEach((old, seat) => {
    places[seat].forEach((place, index) => {
      const element = bySeat[old][index];
      element.dataset.identity = String(seat);
      place.replaceWith(element);
    });
  });
}
