/**
 * The check of kept receipts against a log. A head stands for all records up to it, so a log that has
 * the head of a receipt is the one that the service spoke of. docs/log-format.md describes both.
 */
import { isRevoked, isSigned, type PublicKey, type Receipt } from "@shiplog/client";
import { verify } from "../verifier/verify.mjs";
import { crypto, type Bytes } from "./crypto";

/** A receipt that the service signed and that the log contradicts. */
export interface Contradiction {
  readonly version: number;
  /** The key of the sentence that explains it. */
  readonly why: "absent" | "order" | "twice";
}

export interface Judgement {
  /** Number of receipts that a known key signed, and that count. */
  readonly signed: number;
  /** Number of receipts that prove nothing, since their key had been revoked. */
  readonly revoked: number;
  /** Number of receipts that prove nothing, since no known key signed them. */
  readonly unsigned: number;
  readonly contradictions: readonly Contradiction[];
}

/** Compare receipts of a match with its decompressed export. */
export async function judge(
  match: string,
  receipts: readonly Receipt[],
  keys: readonly PublicKey[],
  log: Bytes,
): Promise<Judgement> {
  const signed = await Promise.all(receipts.map((one) => isSigned(one, keys, crypto)));
  const known = receipts.filter((one, place) => one.match === match && signed[place]);
  const proven = known
    .filter((one) => !isRevoked(one, keys))
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
  return {
    signed: proven.length,
    revoked: known.length - proven.length,
    unsigned: receipts.length - known.length,
    contradictions,
  };
}
