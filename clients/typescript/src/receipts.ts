/** Receipts: what the service signed, kept to prove later that a log was not rewritten. */
import type { components } from "./schema.js";

export type Receipt = components["schemas"]["Receipt"];

type Bytes = Uint8Array<ArrayBuffer>;

/** Takes the receipts that a client is given, and says when to ask for one. */
export interface ReceiptKeeper {
  /** Keep a receipt as it came. */
  keep(text: string): void;
  /** Return whether a call about a match should ask for a receipt. */
  asks(match: string, call: "view" | "command"): boolean;
}

/** A signing key of the service, as `GET /keys` lists it. */
export interface PublicKey {
  /** Id of the key. */
  readonly service: string;
  /** The 32 bytes of the key, in hex. */
  readonly public_key: string;
  /** Since when signatures of the key do not count. Null for a key in good standing. */
  readonly revoked?: { readonly at: string } | null;
}

/** Hashes and verifies. */
export interface Verifier {
  sha256(data: Bytes): Uint8Array | Promise<Uint8Array>;
  /** Return whether an Ed25519 signature (RFC 8032) is valid. */
  isSigned(key: Bytes, signature: Bytes, data: Bytes): boolean | Promise<boolean>;
}

const SIGNED = ["salt", "match", "viewer", "version", "head", "at", "key"] as const;
const DEPTH_MAX = 16;
/** 32 bytes in hex: a hash, or a key. */
const HASH = /^[0-9a-f]{64}$/;
const SIGNATURE = /^[0-9a-f]{128}$/;

/** Web Crypto, which browsers have on HTTPS and on the local host only, and Node since 20. */
export const webCrypto: Verifier = {
  async sha256(data) {
    return new Uint8Array(await subtle().digest("SHA-256", data));
  },
  async isSigned(key, signature, data) {
    const known = await subtle().importKey("raw", key, "Ed25519", false, ["verify"]);
    return subtle().verify("Ed25519", known, signature, data);
  },
};

/** All receipts that one player was given. */
export class Receipts implements ReceiptKeeper {
  readonly #kept = new Map<string, string>();
  readonly #last = new Map<string, number>();

  /**
   * Ask for a receipt with each view of a match, and with a command only if the last one of the
   * match is older than this (milliseconds).
   */
  constructor(readonly everyMs = 5_000) {}

  get size(): number {
    return this.#kept.size;
  }

  asks(match: string, call: "view" | "command"): boolean {
    return call === "view" || Date.now() - (this.#last.get(match) ?? -Infinity) >= this.everyMs;
  }

  /** Keep a receipt as it came. Only the first of the same content is kept. */
  keep(text: string): void {
    const { match, viewer, version, head, key } = JSON.parse(text) as Receipt;
    this.#last.set(match, Date.now());
    const same = JSON.stringify([match, viewer, version, head, key]);
    if (!this.#kept.has(same)) this.#kept.set(same, text);
  }

  /** Return the receipts of a match, or of all, in the order in which they came. */
  of(match?: string): Receipt[] {
    const all = [...this.#kept.values()].map((text) => JSON.parse(text) as Receipt);
    return match === undefined ? all : all.filter((receipt) => receipt.match === match);
  }

  /** Return the contents of the file that `shiplog audit --receipts` reads. */
  lines(match?: string): string {
    return this.of(match)
      .map((receipt) => `${JSON.stringify(receipt)}\n`)
      .join("");
  }

  /**
   * Return what is wrong with the receipts: [] if known keys signed all, and none disagree.
   *
   * `keys` are those that `GET /keys` answered when you began to play: a service could publish
   * others later.
   */
  async objections(keys: readonly PublicKey[], verifier = webCrypto): Promise<string[]> {
    const heads = new Map<string, string>();
    const found: string[] = [];
    for (const receipt of this.of()) {
      const { match, viewer, version, head, key } = receipt;
      const name = `${match} version ${version} of ${viewer}`;
      const first = heads.get(name) ?? head;
      if (!(await isSigned(receipt, keys, verifier))) found.push(`${name}: no known key signed it`);
      else if (isRevoked(receipt, keys)) found.push(`${name}: key ${key} had been revoked`);
      else if (first !== head) found.push(`${name}: the service signed two different heads`);
      else heads.set(name, head);
    }
    return found;
  }
}

/** Return whether a known key signed a receipt. */
export async function isSigned(
  receipt: Receipt,
  keys: readonly PublicKey[],
  verifier: Verifier = webCrypto,
): Promise<boolean> {
  const key = keys.find(({ service }) => service === receipt.key)?.public_key ?? "";
  if (!HASH.test(key) || !SIGNATURE.test(receipt.signature)) return false;
  const raw = unhex(key);
  if (hex(await verifier.sha256(raw)).slice(0, 16) !== receipt.key) return false;
  const root = await rootOf(receipt, verifier);
  if (root === null) return false;
  const data = joined(utf8("shiplog-receipts-1\n"), root);
  return verifier.isSigned(raw, unhex(receipt.signature), data);
}

/** Return whether the key of a receipt had been revoked before the receipt was signed. */
export function isRevoked({ key, at }: Receipt, keys: readonly PublicKey[]): boolean {
  const revoked = keys.find(({ service }) => service === key)?.revoked;
  return revoked != null && at > revoked.at;
}

/** Return the root that the path of a receipt leads to; null if the path does not fit. */
async function rootOf(receipt: Receipt, verifier: Verifier): Promise<Uint8Array | null> {
  const { path } = receipt;
  let { index } = receipt;
  if (path.length > DEPTH_MAX || !Number.isInteger(index)) return null;
  if (index < 0 || index >= 2 ** path.length) return null;
  if (!path.every((sibling) => HASH.test(sibling))) return null;
  const fields = SIGNED.flatMap((name) => {
    const data = utf8(String(receipt[name]));
    const length = new Uint8Array(4);
    new DataView(length.buffer).setUint32(0, data.length);
    return [length, data];
  });
  let node = await verifier.sha256(joined(utf8("shiplog-receipt-1\n"), ...fields));
  for (const sibling of path.map(unhex)) {
    const pair = index & 1 ? [sibling, node] : [node, sibling];
    node = await verifier.sha256(joined(Uint8Array.of(1), ...pair));
    index >>= 1;
  }
  return node;
}

function subtle(): typeof crypto.subtle {
  const found = globalThis.crypto?.subtle;
  if (found === undefined)
    throw new Error("There is no Web Crypto here: use HTTPS, Node 20 or newer, or your verifier.");
  return found;
}

function utf8(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function joined(...parts: readonly Uint8Array[]): Bytes {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let end = 0;
  for (const part of parts) {
    whole.set(part, end);
    end += part.length;
  }
  return whole;
}

function hex(data: Uint8Array): string {
  return Array.from(data, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function unhex(digits: string): Bytes {
  return Uint8Array.from(digits.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}
