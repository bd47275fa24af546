const POLYNOMIAL = 0xedb88320;

/**
 * The CRC-32 of a text in UTF-8, as in arena/studio/checksums.py. The browser's own digests need HTTPS, which many
 * classrooms do not have.
 * @param {string} text
 */
export function checksum(text) {
  let rest = ~0;
  for (const byte of new TextEncoder().encode(text)) {
    rest ^= byte;
    for (let bit = 0; bit < 8; bit += 1) rest = (rest >>> 1) ^ (rest & 1 ? POLYNOMIAL : 0);
  }
  return ~rest >>> 0;
}

/**
 * A checksum of all files and their paths, in any order, as in arena/studio/checksums.py.
 * @param {{path: string, text: string}[]} files
 */
export function botChecksum(files) {
  return files.reduce((total, { path, text }) => total ^ checksum(`${path}\n${text}`), 0) >>> 0;
}
