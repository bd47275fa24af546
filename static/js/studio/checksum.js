const POLYNOMIAL = 0xedb88320;

/**
 * Return a checksum of all files and their paths, in any order, as in arena/studio/checksums.py. The browser's own
 * digests need HTTPS, which many classrooms do not have.
 * @param {{path: string, text: string}[]} files
 */
export function botChecksum(files) {
  return files.reduce((total, { path, text }) => total ^ crc32(`${path}\n${text}`), 0) >>> 0;
}

/** @param {string} text in UTF-8 */
function crc32(text) {
  let rest = ~0;
  for (const byte of new TextEncoder().encode(text)) {
    rest ^= byte;
    for (let bit = 0; bit < 8; bit += 1) rest = (rest >>> 1) ^ (rest & 1 ? POLYNOMIAL : 0);
  }
  return ~rest;
}
