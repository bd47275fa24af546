/** Recognize sentences by their numbers, because their wording may change. */

/** @param {string} text @returns {number[]} the numbers in a text, in order */
export const numbersIn = (text) => (text.match(/\d+(\.\d+)?/g) ?? []).map(Number);
