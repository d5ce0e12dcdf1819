/** Bytes, as hashes and signatures of Shiplog take them. */

const text = new TextEncoder();

/**
 * Join bytes, texts (UTF-8) and numbers (8 bytes, big-endian).
 *
 * @param {...(Uint8Array | string | number)} parts
 */
export function bytes(...parts) {
  const pieces = parts.map((part) => {
    if (typeof part === "string") return text.encode(part);
    if (typeof part !== "number") return part;
    const eight = new Uint8Array(8);
    new DataView(eight.buffer).setBigUint64(0, BigInt(part));
    return eight;
  });
  const joined = new Uint8Array(pieces.reduce((length, piece) => length + piece.length, 0));
  let end = 0;
  for (const piece of pieces) {
    joined.set(piece, end);
    end += piece.length;
  }
  return joined;
}

/**
 * Write bytes as lower-case hex digits.
 *
 * @param {Uint8Array} data
 */
export function hex(data) {
  return Array.from(data, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * Parse lower-case hex digits.
 *
 * @param {string} digits
 */
export function unhex(digits) {
  return Uint8Array.from(digits.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}
