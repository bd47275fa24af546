/** Offer files created by the page as downloads; nothing is uploaded. */

const KEPT_MS = 60_000; // some browsers read the URL only after a dialog

/** @param {Blob} blob @param {string} name of the file */
export function saveFile(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), KEPT_MS);
}
