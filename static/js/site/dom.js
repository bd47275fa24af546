/** Build elements without HTML strings, so that a bot's name can never become markup. */

/**
 * @param {string} tag
 * @param {Record<string, string | number | boolean | null | undefined>} [attributes] `class`, `data-…`; null and false
 * omit the attribute
 * @param {...(Node | string | null | undefined)} children
 * @returns {HTMLElement}
 */
export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    made.setAttribute(name, value === true ? "" : String(value));
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

/**
 * @template {HTMLElement} T
 * @param {ParentNode} root
 * @param {string} name
 * @returns {T | null} the element with `data-part="name"` below root
 */
export function part(root, name) {
  return root.querySelector(`[data-part="${name}"]`);
}

/**
 * Return the factor by which an element is zoomed: its box in the window is larger than its own lengths by this factor.
 * @param {Element} target
 */
export const zoomOf = (target) => /** @type {{currentCSSZoom?: number}} */ (target).currentCSSZoom ?? 1;

/**
 * @param {Element | null} target
 * @param {string} text written only if it differs
 * @returns {boolean} whether it was written
 */
export function setText(target, text) {
  if (!target || target.textContent === text) return false;
  target.textContent = text;
  return true;
}

/** @param {string} id @returns {any} the value in `{{ value|json_script:id }}` */
export function pageData(id) {
  const container = document.getElementById(id);
  return container ? JSON.parse(container.textContent ?? "null") : null;
}

/** @returns {boolean} whether the reader prefers reduced motion */
export function prefersReducedMotion() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}
