/**
 * Return the options of a request that posts JSON and expects JSON.
 * @param {string} csrf
 * @param {unknown} body
 * @returns {RequestInit}
 */
export function jsonPost(csrf, body) {
  return {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-CSRFToken": csrf, Accept: "application/json" },
    body: JSON.stringify(body),
  };
}
