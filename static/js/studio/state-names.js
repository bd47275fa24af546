/**
 * Find the expressions in a bot's code that hold the game's state, and their members.
 *
 * The server reads classes and their docstrings from the code that is mounted into the jail
 * (arena/studio/completions.py).
 */

/** @typedef {{name: string, kind: "method" | "property", signature: string, doc: string, type: string}} Member */
/** @typedef {{name: string, doc: string, members: Member[]}} StateClass */
/** @typedef {{state: string, classes: Record<string, StateClass>}} StateNames `state`: "" if unknown */

const GET_MOVE = /def\s+get_move\s*\(\s*(?:self\s*,\s*)?([A-Za-z_]\w*)/g;
const ARGUMENT = /def\s+\w+\s*\(([^)]*)\)/g;
const CHAIN = /([A-Za-z_]\w*(?:\.\w+)*)\.(\w*)$/;

/** @param {string} source @returns {Set<string>} the parameter names that the bot's functions use for the state */
export function stateVariables(source) {
  const names = new Set([...source.matchAll(GET_MOVE)].map((match) => match[1]));
  for (const [, list] of source.matchAll(ARGUMENT)) {
    for (const argument of list.split(",")) {
      const name = argument.trim().split(/[:=\s]/)[0];
      if (name === "state" || name === "board") names.add(name);
    }
  }
  return names;
}

/**
 * @param {string} before the line up to the cursor, as in "moves = board.get_le"
 * @returns {{path: string[], typed: string} | null} the names before the last dot, and what follows it
 */
export function chainBefore(before) {
  const match = CHAIN.exec(before);
  return match ? { path: match[1].split("."), typed: match[2] } : null;
}

/**
 * @param {StateNames} known
 * @param {string[]} path the names in a dotted expression, starting with a variable
 * @param {Set<string>} variables the variables that hold the state
 * @returns {StateClass | null} the class of the expression's value
 */
export function classOf(known, path, variables) {
  if (!known.state || !variables.has(path[0])) return null;
  let found = known.classes[known.state];
  for (const name of path.slice(1)) {
    const type = found.members.find((member) => member.name === name)?.type ?? "";
    if (!Object.hasOwn(known.classes, type)) return null;
    found = known.classes[type];
  }
  return found;
}
