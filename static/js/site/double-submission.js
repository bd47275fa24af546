/** Send a form only once: the second click of a double click would be refused as a repetition of the first. */

const SENT_FOR_MS = 10_000; // after that, assume a network failure and allow a retry

/** @type {WeakMap<object, number>} when a form was sent last */
const sent = new WeakMap();

/**
 * @param {{ method: string }} form
 * @param {number} now in milliseconds
 * @returns {boolean} whether this is a repetition that must not be sent; a search may be repeated
 */
export function isDoubleSubmission(form, now) {
  if (form.method !== "post") return false;
  const last = sent.get(form);
  if (last !== undefined && now - last < SENT_FOR_MS) return true;
  sent.set(form, now);
  return false;
}

/** @param {object} form one whose page was restored from the back/forward cache */
export function allowResubmission(form) {
  sent.delete(form);
}
