/** Files that a page makes itself: offered to be kept, sent nowhere. */

const KEPT_MS = 60_000; // some browsers read it only after a dialog

/** @param {Blob} blob @param {string} name of the file */
export function saveFile(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), KEPT_MS);
}
