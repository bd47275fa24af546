/**
 * Accept files anywhere on the page, except for drop zones of forms: elsewhere the browser would open the file
 * instead.
 * @param {HTMLElement} root marked while files are dragged over the page
 * @param {(files: File[]) => void} onDrop
 */
export function acceptDroppedFiles(root, onDrop) {
  const isOurs = (/** @type {DragEvent} */ event) =>
    event.dataTransfer?.types.includes("Files") && !(/** @type {HTMLElement} */ (event.target).closest?.("[data-dropzone]"));
  const mark = (/** @type {boolean} */ isOver) => root.toggleAttribute("data-dragged-over", isOver);
  document.addEventListener("dragover", (event) => {
    mark(Boolean(isOurs(event)));
    if (isOurs(event)) event.preventDefault();
  });
  document.addEventListener("dragleave", (event) => event.relatedTarget || mark(false));
  const drop = (/** @type {DragEvent} */ event) => {
    mark(false);
    const files = isOurs(event) ? [...(event.dataTransfer?.files ?? [])] : [];
    if (!files.length) return;
    event.preventDefault();
    event.stopPropagation(); // otherwise the editor would insert the file's text
    onDrop(files);
  };
  document.addEventListener("drop", drop, { capture: true });
}
