/**
 * The audit of a log by this browser alone, without trusting the service: numbers, heads, times,
 * the commitment to the dice, and the signature over the head. docs/log-format.md describes the
 * file. Checks are named as in replay/. Digests need the rules: only the service's audit has them.
 */
import { hmacSha256, sha256, signed, unhex, type Bytes } from "./crypto";

export const CHECKS = [
  "file",
  "record",
  "number",
  "chain",
  "time",
  "salt",
  "digest",
  "commitment",
  "signature",
  "header",
] as const;
export type Check = (typeof CHECKS)[number];

/** Something wrong in the log. */
export interface Finding {
  /** The record's version; 0 for the log as a whole. */
  readonly version: number;
  readonly check: Check;
  /** The key of the sentence that explains it. */
  readonly why: string;
}

/** The result of an audit. */
export interface Verdict {
  readonly match: string | null;
  readonly records: number;
  /** The head after the last record. */
  readonly head: string;
  readonly findings: readonly Finding[];
  /** Checks that could not be made, each with the key of the sentence that explains why. */
  readonly unchecked: ReadonlyMap<Check, string>;
}

export interface Key {
  readonly service: string;
  readonly public_key: string;
}

/** What is known of the log from elsewhere. */
export interface Expected {
  readonly match: string;
  readonly head: string;
}

interface Entry {
  readonly v?: unknown;
  readonly at?: unknown;
  readonly prev?: unknown;
  readonly salt?: unknown;
  readonly events?: readonly Record<string, unknown>[];
}

interface Head {
  readonly match: string;
  readonly version: number;
  readonly head: string;
  readonly service: string;
  readonly signature: string;
}

const GENESIS = "0".repeat(64);
const ZSTD_MAGIC = [0x28, 0xb5, 0x2f, 0xfd];
const FEED = 0x0a;
const ENDS = new Set<unknown>(["match_finished", "match_abandoned"]);
const text = new TextEncoder();
const ERRATUM = text.encode('{"erratum":');
const reader = new TextDecoder("utf-8", { fatal: true });

/** Decompress zstd; return anything else unchanged. Throws if the data is damaged. */
export async function unpacked(data: Bytes): Promise<Bytes> {
  if (!ZSTD_MAGIC.every((byte, place) => data[place] === byte)) return data;
  const { decompress } = await import("fzstd");
  return new Uint8Array(decompress(data));
}

/** Return a decompressed export without its signature line. */
export function unsigned(data: Bytes): Bytes {
  const last = split(data).at(-1);
  return headOf(last) && last ? data.slice(0, last.byteOffset - data.byteOffset) : data;
}

/** Check a decompressed export. */
export async function verify(
  data: Bytes,
  keys: readonly Key[],
  expected: Expected | null = null,
): Promise<Verdict> {
  const findings: Finding[] = [];
  const unchecked = new Map<Check, string>();
  const find = (version: number, check: Check, why: string): void => {
    findings.push({ version, check, why });
  };

  const lines = split(data);
  if (data.at(-1) !== FEED) find(0, "file", "cut");
  const head = headOf(lines.at(-1));
  if (head) lines.pop();

  const entries = lines.map(entryOf);
  const formatOne = entries[0]?.prev !== undefined;
  const heads = formatOne ? await Promise.all(lines.map(sha256)) : await chained(lines);
  const opening = entries[0]?.events?.[0];
  const secret = secretOf(entries);
  const salts = secret && formatOne ? await hmacSha256(secret) : null;
  if (!secret) unchecked.set("commitment", "sealed");
  if (!salts) unchecked.set("salt", formatOne ? "sealed" : "format");
  unchecked.set("digest", formatOne ? "format" : "rules");

  let before = "";
  let number = 0;
  for (const [place, entry] of entries.entries()) {
    const version = place + 1;
    if (!entry) {
      find(version, "record", "unreadable");
      continue;
    }
    if (entry.v !== number + 1) find(version, "number", "other");
    number = typeof entry.v === "number" ? entry.v : version;
    if (formatOne && entry.prev !== (heads[place - 1] ?? GENESIS))
      find(version, "chain", version === 1 ? "first" : "broken");
    const at = typeof entry.at === "string" ? entry.at : "";
    if (at < before || at === "") find(version, "time", "earlier");
    before = at > before ? at : before;
    if (salts && entry.salt !== (await salts(salted(number))).slice(0, 32)) find(version, "salt", "other");
  }
  if (secret && opening?.commitment !== (await sha256(secret))) find(1, "commitment", "other");

  const last = heads.at(-1) ?? GENESIS;
  const match = typeof opening?.match === "string" ? opening.match : null;
  if (lines.length === 0) find(0, "file", "empty");
  if (!expected) unchecked.set("header", "alone");
  if (expected && match !== expected.match) find(1, "header", "otherMatch");
  if (expected && last !== expected.head) find(lines.length, "header", "otherHead");
  if (head) await vouch(head);
  else unchecked.set("signature", "none");
  return { match, records: lines.length, head: last, findings, unchecked };

  async function vouch(head: Head): Promise<void> {
    if (head.version !== lines.length) find(0, "signature", "otherCount");
    else if (head.head !== last && formatOne) find(lines.length, "signature", "otherRecord");
    else if (head.head !== last) find(0, "chain", "otherHead");
    if (head.match !== match) find(0, "signature", "otherMatch");
    if (head.service !== opening?.service) find(1, "signature", "otherService");
    const key = keys.find((one) => one.service === head.service);
    const raw = key && unhex(key.public_key);
    if (!raw) {
      unchecked.set("signature", "foreign");
      return;
    }
    if ((await sha256(raw)).slice(0, 16) !== head.service) find(0, "signature", "otherKey");
    const message = text.encode(`shiplog-head-1\n${head.match}\n${head.version}\n${head.head}\n`);
    if (!(await signed(raw, unhex(head.signature) ?? new Uint8Array(), message))) {
      find(0, "signature", "forged");
    }
  }
}

/** Return the head after each record: the hash of the head before and of the record. */
async function chained(lines: readonly Bytes[]): Promise<string[]> {
  const domain = text.encode("shiplog-record-2\n");
  const heads: string[] = [];
  for (const line of lines) {
    const before = unhex(heads.at(-1) ?? GENESIS) ?? new Uint8Array(32);
    const data = new Uint8Array(domain.length + before.length + line.length);
    data.set(domain);
    data.set(before, domain.length);
    data.set(line, domain.length + before.length);
    heads.push(await sha256(data));
  }
  return heads;
}

/** Split an export into its lines, without the errata at the end: they are for the audit with rules. */
function split(data: Bytes): Bytes[] {
  const lines: Bytes[] = [];
  for (let start = 0; start < data.length;) {
    const end = data.indexOf(FEED, start);
    lines.push(data.subarray(start, end < 0 ? data.length : end));
    start = end < 0 ? data.length : end + 1;
  }
  while (isErratum(lines.at(-1))) lines.pop();
  return lines;
}

function isErratum(line: Bytes | undefined): boolean {
  return line !== undefined && ERRATUM.every((byte, place) => line[place] === byte);
}

function parsed(line: Bytes): unknown {
  try {
    return JSON.parse(reader.decode(line));
  } catch {
    return null;
  }
}

function entryOf(line: Bytes): Entry | null {
  const entry = parsed(line) as Entry | null;
  return typeof entry === "object" && Array.isArray(entry?.events) ? entry : null;
}

function headOf(line: Bytes | undefined): Head | null {
  const head = line && (parsed(line) as Partial<Head> | null);
  return head && typeof head.signature === "string" && typeof head.head === "string" ? (head as Head) : null;
}

/** Return the service seed, which is revealed at the end of a match. */
function secretOf(entries: readonly (Entry | null)[]): Bytes | null {
  const end = entries.flatMap((entry) => entry?.events ?? []).find((event) => ENDS.has(event.type));
  return typeof end?.secret === "string" ? unhex(end.secret) : null;
}

function salted(version: number): Bytes {
  const data = new Uint8Array(12);
  data.set(text.encode("salt"));
  new DataView(data.buffer).setBigUint64(4, BigInt(version));
  return data;
}
