/**
 * The check of kept receipts against a log. A head stands for all records up to it, so a log that has
 * the head of a receipt is the one that the service spoke of. docs/log-format.md describes both.
 */
import type { MetKey, Receipt } from "../api/receipts";
import { bytes, hex, unhex } from "../verifier/bytes.mjs";
import { verify } from "../verifier/verify.mjs";
import { crypto, type Bytes } from "./crypto";

/** A receipt that the service signed and that the log contradicts. */
export interface Contradiction {
  readonly version: number;
  /** The key of the sentence that explains it. */
  readonly why: "absent" | "order" | "twice";
}

export interface Judgement {
  /** Number of receipts that a known key signed. */
  readonly signed: number;
  /** Number of receipts that prove nothing, since no known key signed them. */
  readonly unsigned: number;
  readonly contradictions: readonly Contradiction[];
}

const DEPTH_MAX = 16;
const HASH = /^[0-9a-f]{64}$/;
const SIGNATURE = /^[0-9a-f]{128}$/;

/** Compare receipts of a match with its decompressed export. */
export function judge(
  match: string,
  receipts: readonly Receipt[],
  keys: readonly MetKey[],
  log: Bytes,
): Judgement {
  const proven = receipts
    .filter((one) => one.match === match && isSigned(one, keys))
    .sort((one, other) => one.version - other.version);
  const places = new Map(verify(log, [], crypto).heads.map((head, place) => [head, place + 1]));
  const contradictions: Contradiction[] = [];
  const last = new Map<Receipt["viewer"], Receipt>();
  for (const one of proven) {
    const { version, viewer } = one;
    const place = places.get(one.head);
    const earlier = last.get(viewer);
    const before = earlier && places.get(earlier.head);
    if (place === undefined || place < version) contradictions.push({ version, why: "absent" });
    else if (earlier?.version === version) {
      if (earlier.head !== one.head) contradictions.push({ version, why: "twice" });
    } else if (before !== undefined && place <= before) contradictions.push({ version, why: "order" });
    last.set(viewer, one);
  }
  return { signed: proven.length, unsigned: receipts.length - proven.length, contradictions };
}

/** Return whether a known key signed a receipt. */
function isSigned(receipt: Receipt, keys: readonly MetKey[]): boolean {
  const key = keys.find(({ service }) => service === receipt.key);
  const root = rootOf(receipt);
  if (!key || !root || !SIGNATURE.test(receipt.signature)) return false;
  const raw = unhex(key.public_key);
  if (hex(crypto.sha256(raw)).slice(0, 16) !== receipt.key) return false;
  return crypto.isSigned(raw, unhex(receipt.signature), bytes("shiplog-receipts-1\n", root));
}

/** Return the root that the path of a receipt leads to; null if the path does not fit. */
function rootOf(receipt: Receipt): Uint8Array | null {
  const { path } = receipt;
  let index = receipt.index;
  if (path.length > DEPTH_MAX || index < 0 || index >= 2 ** path.length) return null;
  if (!path.every((sibling) => HASH.test(sibling))) return null;
  let node = leaf(receipt);
  for (const sibling of path.map(unhex)) {
    node = hashed(Uint8Array.of(1), ...(index & 1 ? [sibling, node] : [node, sibling]));
    index >>= 1;
  }
  return node;
}

function leaf({ salt, match, viewer, version, head, at, key }: Receipt): Uint8Array {
  const fields = [salt, match, viewer, version, head, at, key].flatMap((field) => {
    const data = bytes(String(field));
    const length = new Uint8Array(4);
    new DataView(length.buffer).setUint32(0, data.length);
    return [length, data];
  });
  return hashed("shiplog-receipt-1\n", ...fields);
}

function hashed(...parts: readonly (Uint8Array | string)[]): Uint8Array {
  return crypto.sha256(bytes(...parts));
}
