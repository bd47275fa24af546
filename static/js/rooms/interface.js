/** The interface of rooms, as programs use it: see /swagger. */

/**
 * @param {string} name of the operation
 * @param {Record<string, string | number>} parameters
 * @param {"GET" | "POST"} [method]
 * @returns {Promise<any>} its answer; throws an Error with the interface's own words where it refuses
 */
export async function call(name, parameters, method = "GET") {
  const query = new URLSearchParams(Object.entries(parameters).map(([key, value]) => [key, String(value)]));
  const answer = await fetch(`/api/${name}?${query}`, { method, cache: "no-store" });
  const body = await answer.json();
  if (!answer.ok) throw new Error(body.message);
  return body;
}
