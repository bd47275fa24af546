/** The scrimmage form. */
import { OpponentList } from "./opponent-list.js";

const root = /** @type {HTMLElement | null} */ (document.querySelector("[data-opponents]"));
if (root) new OpponentList(root);
