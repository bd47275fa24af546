/** The editor's requests to the server: problems in a file, and the names of the game's state. */
import { send } from "../site/requests.js";
import { jsonPost } from "./json-post.js";

/** @typedef {import("./code-editor.js").Problem} Problem */
/** @typedef {import("./state-names.js").StateNames} StateNames */

/** @type {StateNames} */
const NO_NAMES = { state: "", classes: {} };

/**
 * @param {{lint: string, completions: string}} urls which find the problems in a source, and list the state's names
 * @param {string} csrf
 */
export function languageService(urls, csrf) {
  /** @type {Promise<StateNames> | null} */
  let loading = null;
  return {
    /** @param {string} source @returns {Promise<Problem[]>} none if the request fails */
    async lint(source) {
      const answer = await send(urls.lint, jsonPost(csrf, { source }));
      return answer.state === "done" ? answer.body.problems : [];
    },

    /** Load the state's names on first use; if that fails, on the next one. */
    names() {
      loading ??= send(urls.completions, {}, { tries: 3 }).then((answer) => {
        if (answer.state === "done") return answer.body;
        loading = null;
        return NO_NAMES;
      });
      return loading;
    },
  };
}
