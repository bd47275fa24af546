/**
 * Code for every page, and small modules that many pages share: the match model, live matches.
 *
 * Each page's bundle starts with it, as one file that a browser downloads once. A module that two pages share but that
 * is missing here costs both an extra request. The standings are missing, because they would weigh on the studio, which
 * is the largest page.
 */
import "./charts/seat-swatches.js";
import "./live/connection.js";
import "./live/labels.js";
import "./live/refresh.js";
import "./matches/captions.js";
import "./matches/frame-fit.js";
import "./matches/game-view.js";
import "./matches/live-match.js";
import "./matches/match-model.js";
import "./matches/results.js";
import "./matches/replay-controls.js";
import "./site/dom.js";
import "./site/every-page.js";
import "./site/flip-animation.js";
import "./site/format.js";
import "./site/keep-in-view.js";
import "./site/table-pager.js";
import "./site/requests.js";
import "./site/save-file.js";
