/** The dice of a match, as docs/chance.md describes them. */
import { bytes, hex } from "./bytes.mjs";

/**
 * Hashes and signatures. Node and browsers have them in different places.
 *
 * @typedef {object} Crypto
 * @property {(data: Uint8Array) => Uint8Array} sha256
 * @property {(key: Uint8Array, data: Uint8Array) => Uint8Array} hmacSha256
 * @property {(key: Uint8Array, signature: Uint8Array, data: Uint8Array) => boolean} isSigned
 *   Return whether an Ed25519 signature (RFC 8032) is valid.
 */

/** @type {(crypto: Crypto, master: Uint8Array, match: string) => Uint8Array} */
export const deriveServiceSeed = (crypto, master, match) => crypto.hmacSha256(master, bytes(match));

/** @type {(crypto: Crypto, serviceSeed: Uint8Array) => string} */
export const commitment = (crypto, serviceSeed) => hex(crypto.sha256(serviceSeed));

/** @type {(crypto: Crypto, serviceSeed: Uint8Array, entropies: readonly string[]) => Uint8Array} */
export const matchSeed = (crypto, serviceSeed, entropies) =>
  crypto.sha256(bytes(serviceSeed, ...entropies.map((entropy) => `${entropy}\n`)));

/** @type {(crypto: Crypto, serviceSeed: Uint8Array, version: number) => string} */
export const salt = (crypto, serviceSeed, version) =>
  hex(crypto.hmacSha256(serviceSeed, bytes("salt", version))).slice(0, 32);

/** The dice of one record. */
export class Chance {
  /**
   * @param {Crypto} crypto
   * @param {Uint8Array} seed the match seed
   * @param {number} version version of the record
   */
  constructor(crypto, seed, version) {
    this.crypto = crypto;
    this.prefix = bytes(seed, version);
    this.block = 0;
    /** @type {bigint[]} */
    this.words = [];
  }

  /** @returns {bigint} */
  word() {
    const word = this.words.shift();
    if (word !== undefined) return word;
    const block = this.crypto.sha256(bytes(this.prefix, this.block++));
    const view = new DataView(block.buffer, block.byteOffset);
    this.words = [0, 8, 16, 24].map((start) => view.getBigUint64(start));
    return this.word();
  }

  /**
   * Return a number from 0 to `n` - 1.
   *
   * @param {number | string | bigint} n
   */
  randbelow(n) {
    const count = BigInt(n);
    const limit = ((1n << 64n) / count) * count;
    let word = this.word();
    while (word >= limit) word = this.word();
    return word % count;
  }

  /** @param {number} n */
  below(n) {
    return Number(this.randbelow(n));
  }

  /**
   * Return the elements in random order.
   *
   * @template T
   * @param {readonly T[]} list
   */
  shuffled(list) {
    /** @type {any[]} */
    const order = [...list];
    for (let i = order.length - 1; i > 0; i--) {
      const j = this.below(i + 1);
      [order[i], order[j]] = [order[j], order[i]];
    }
    return /** @type {T[]} */ (order);
  }

  /**
   * Return `k` different elements in random order.
   *
   * @template T
   * @param {readonly T[]} list
   * @param {number} k
   */
  sample(list, k) {
    return this.shuffled(list).slice(0, k);
  }
}
