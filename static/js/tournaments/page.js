/** A tournament's page: countdowns, live standings, and the boards of the matches to watch. */
import "./countdown.js";
import "./standings.js";
import "./bracket-path.js";
import { startBoards } from "./boards.js";

const section = /** @type {HTMLElement | null} */ (document.querySelector("[data-boards]"));
if (section) startBoards(section);
