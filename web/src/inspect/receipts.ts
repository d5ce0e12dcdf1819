/**
 * The check of kept receipts against a log. A head stands for all records up to it, so a log that has
 * the head of a receipt is the one that the service spoke of. docs/log-format.md describes both.
 */
import type { MetKey, Receipt } from "../api/receipts";
import { sha256, signed, unhex, type Bytes } from "./crypto";
import { headsOf } from "./verify";

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

const text = new TextEncoder();
const DEPTH_MAX = 16;

/** Compare receipts of a match with its decompressed export. */
export async function judge(
  match: string,
  receipts: readonly Receipt[],
  keys: readonly MetKey[],
  log: Bytes,
): Promise<Judgement> {
  const vouched = await Promise.all(
    receipts.map(async (one) => one.match === match && (await isSigned(one, keys))),
  );
  const proven = receipts
    .filter((_, place) => vouched[place])
    .sort((one, other) => one.version - other.version);
  const places = new Map((await headsOf(log)).map((head, place) => [head, place + 1]));
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
async function isSigned(receipt: Receipt, keys: readonly MetKey[]): Promise<boolean> {
  const key = keys.find(({ service }) => service === receipt.key);
  const [raw, signature] = [unhex(key?.public_key ?? ""), unhex(receipt.signature)];
  const root = await rootOf(receipt);
  if (!raw || !signature || !root || (await sha256(raw)).slice(0, 16) !== receipt.key) return false;
  return signed(raw, signature, joined(text.encode("shiplog-receipts-1\n"), root));
}

/** Return the root that the path of a receipt leads to; null if the path does not fit. */
async function rootOf(receipt: Receipt): Promise<Bytes | null> {
  const { path } = receipt;
  let index = receipt.index;
  if (path.length > DEPTH_MAX || index < 0 || index >= 2 ** path.length) return null;
  let node = await leaf(receipt);
  for (const sibling of path) {
    const other = unhex(sibling);
    if (!other) return null;
    node = await hashed(Uint8Array.of(1), ...(index & 1 ? [other, node] : [node, other]));
    index >>= 1;
  }
  return node;
}

function leaf({ salt, match, viewer, version, head, at, key }: Receipt): Promise<Bytes> {
  const fields = [salt, match, viewer, version, head, at, key].flatMap((field) => {
    const data = text.encode(String(field));
    const length = new Uint8Array(4);
    new DataView(length.buffer).setUint32(0, data.length);
    return [length, data];
  });
  return hashed(text.encode("shiplog-receipt-1\n"), ...fields);
}

async function hashed(...parts: readonly Bytes[]): Promise<Bytes> {
  return unhex(await sha256(joined(...parts))) ?? new Uint8Array();
}

function joined(...parts: readonly Bytes[]): Bytes {
  const data = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let end = 0;
  for (const part of parts) {
    data.set(part, end);
    end += part.length;
  }
  return data;
}
