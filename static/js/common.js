/**
 * What every page has, and small parts that many pages share: live standings, the model of a match.
 *
 * The bundle of each page begins with it, as one file that a browser loads once; what is not here and shared by two
 * pages is a request more for both.
 */
import "./charts/seat-signs.js";
import "./live/connection.js";
import "./live/labels.js";
import "./live/refresh.js";
import "./matches/game-view.js";
import "./matches/match-model.js";
import "./matches/results.js";
import "./matches/transport.js";
import "./site/dom.js";
import "./site/every-page.js";
import "./site/format.js";
import "./site/requests.js";
import "./site/save-file.js";
import "./tournaments/standings.js";
