/**
 * The check of an exported match, without its rules and without trusting anybody: bytes and fields
 * of each record, numbers, heads, times, senders, command ids, the commitment, all dice, and the
 * signature. docs/log-format.md describes the file. Checks are named as in `shiplog audit`.
 */
import { bytes, hex, unhex } from "./bytes.mjs";
import { commitment, salt } from "./chance.mjs";
import { isKnown, isTable, misdrawn } from "./draws.mjs";

/**
 * @typedef {import("./chance.mjs").Crypto} Crypto
 * @typedef {import("./games.mjs").Fields} Fields
 * @typedef {(typeof CHECKS)[number]} Check
 *
 * @typedef {object} Finding
 * @property {number} version the record's version; 0 for the log as a whole
 * @property {Check} check
 * @property {string} why the key of the sentence that explains it
 *
 * @typedef {object} Verdict
 * @property {string | null} match
 * @property {number} records
 * @property {readonly string[]} heads the head after each record
 * @property {readonly Finding[]} findings
 * @property {ReadonlyMap<Check, string>} unchecked
 *   Checks that could not be made, each with the key of the sentence that explains why.
 *
 * @typedef {object} Key a public key, as `GET /keys` lists it
 * @property {string} service
 * @property {string} public_key
 * @property {{ readonly at: string, readonly size?: number | null } | null} [revoked]
 *
 * @typedef {object} Expected what is known of the log from elsewhere
 * @property {string} match
 * @property {string} head
 */

export const CHECKS = /** @type {const} */ ([
  "file",
  "record",
  "bytes",
  "number",
  "chain",
  "time",
  "sender",
  "command-id",
  "salt",
  "digest",
  "commitment",
  "events",
  "signature",
  "header",
  "erratum",
]);

const FEED = 0x0a;
const PACKED = [0x28, 0xb5, 0x2f, 0xfd];
const ERRATUM = new TextEncoder().encode('{"erratum":');
const DEPTH_MAX = 200;
const RECORD_BYTES_MAX = 262_144;
const HEAD = "match version head service signature";
const FIELDS = ["", "v at by id command events salt prev", "v at by id command events digest"];
/** Fields of the header that repeat what the creator requested. So do `options`, in any order. */
const REQUESTED = [
  ..."game seats clock private away_after undo_limit stand_in proposal_seconds".split(" "),
  "spectator_delay",
  "bot_pace",
];
/** Fields of the header and its command that are left out at these values, since format 2. */
const DEFAULTS = Object.entries({
  ...{ options: "{}", clock: "null", private: "false", away_after: "3", undo_limit: "null" },
  branch: "null",
});
const SENDERS = ["seat", "player", "operator"];
const ENDS = ["match_finished", "match_abandoned"];
/** Half of a letter, which is no text: `JSON.stringify` escapes no other letter like this. */
const SURROGATE = /(?<!\\)(?:\\\\)*\\ud[89a-f]/;
const reader = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Return the lines of a file without their line feeds. @param {Uint8Array} data */
function split(data) {
  const lines = [];
  for (let start = 0; start < data.length;) {
    const end = data.indexOf(FEED, start);
    lines.push(data.subarray(start, end < 0 ? data.length : end));
    start = end < 0 ? data.length : end + 1;
  }
  return lines;
}

/** @param {Uint8Array | undefined} line */
function isErratum(line) {
  return ERRATUM.every((byte, place) => line?.[place] === byte);
}

/** Decode a line; null if it is not UTF-8. @param {Uint8Array} line */
function decoded(line) {
  try {
    return reader.decode(line);
  } catch {
    return null;
  }
}

/** Parse JSON; null if it is malformed. @param {string | null} text @returns {any} */
function parsed(text) {
  try {
    return text === null ? null : JSON.parse(text);
  } catch {
    return null;
  }
}

/** @type {(value: unknown, depth?: number) => boolean} */
function isTooDeep(value, depth = 0) {
  if (typeof value !== "object" || value === null) return false;
  return depth === DEPTH_MAX || Object.values(value).some((inner) => isTooDeep(inner, depth + 1));
}

/** @param {unknown} value @returns {value is Fields} */
const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

/** Encode the options of a match, whose order does not count. @param {unknown} options */
const sorted = (options) => JSON.stringify(isObject(options) ? Object.entries(options).sort() : options);

/** Return whether a value is a command or an event. @param {unknown} value */
const isTagged = (value) => isObject(value) && typeof value["type"] === "string";

/** @param {unknown} value */
const isRecord = (value) =>
  isObject(value) &&
  isObject(value["by"]) &&
  isTagged(value["command"]) &&
  Array.isArray(value["events"]) &&
  value["events"].every(isTagged);

/**
 * Return whether a value is a text of a form. `RegExp.test` alone turns numbers and lists into text.
 *
 * @type {(form: RegExp, value: unknown) => value is string}
 */
const isText = (form, value) => typeof value === "string" && form.test(value);

/** @param {unknown} value */
const isMatchId = (value) => isText(/^[A-Za-z0-9_-]{1,64}$/, value);

/** @param {unknown} value */
const isHash = (value) => isText(/^[0-9a-f]{64}$/, value);

/** Return whether the fields of a signed head have their types. @param {Fields} head */
const hasHeadTypes = ({ version, ...texts }) =>
  Number.isInteger(version) && Object.values(texts).every((text) => typeof text === "string");

/** Return whether a time has the form of records. @param {unknown} at */
export function isTime(at) {
  if (typeof at !== "string" || !/^(?!0000)\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/.test(at)) return false;
  const time = new Date(at);
  return !isNaN(time.getTime()) && time.toISOString().slice(0, 23) === at.slice(0, 23);
}

/**
 * Check a decompressed export.
 *
 * @param {Uint8Array} data
 * @param {readonly Key[]} keys the known keys
 * @param {Crypto} crypto
 * @param {Expected | null} [expected]
 * @returns {Verdict}
 */
export function verify(data, keys, crypto, expected = null) {
  /** @type {Finding[]} */
  const findings = [];
  /** @type {Map<Check, string>} */
  const unchecked = new Map([["digest", "rules"]]);
  /** @type {(version: number, check: Check, why: string) => void} */
  const find = (version, check, why) => void findings.push({ version, check, why });

  const lines = split(data);
  // Errata explain what a release decided, and are no records.
  while (lines.length > 0 && isErratum(lines.at(-1))) {
    lines.pop();
    unchecked.set("erratum", "rules");
  }
  const { head, records } = read();
  const header = /** @type {Fields} */ (records[0]?.events[0] ?? {});
  const formatOne = header["format"] === 1;
  if (records[0]) opening(records[0]);
  const { secret, place: reveal } = revealed();
  const committed = secret !== null && commitment(crypto, secret) === header["commitment"];
  if (!secret) unchecked.set("commitment", "sealed").set("events", "sealed").set("salt", "sealed");
  if (!formatOne) unchecked.set("salt", "format").set("chain", "format");
  else unchecked.set("digest", "format");

  const heads = followed();
  if (secret) drawn(secret);
  const match = isMatchId(header["match"]) ? header["match"] : null;
  const last = heads.at(-1) ?? "0".repeat(64);
  if (!expected) unchecked.set("header", "alone");
  if (expected && match !== expected.match) find(1, "header", "otherMatch");
  if (expected && last !== expected.head) find(lines.length, "header", "otherHead");
  if (head) vouch(head);
  findings.sort((one, other) => one.version - other.version);
  return { match, records: lines.length, heads, findings, unchecked };

  /** Read all lines, and take the signed head off. */
  function read() {
    if (PACKED.every((byte, place) => data[place] === byte)) find(0, "file", "packed");
    else if (data.at(-1) !== FEED) find(0, "file", data.length > 0 ? "cut" : "empty");
    const texts = lines.map(decoded);
    const values = texts.map(parsed);
    /** @param {number} place */
    const isHead = (place) => texts[place]?.startsWith('{"match":') === true;
    const end = lines.length - 1;
    /** @type {Fields | null} */
    let head = null;
    if (isHead(end)) {
      lines.pop();
      const value = values.pop();
      const form = isObject(value) && !isTooDeep(value) && JSON.stringify(value) === texts[end];
      if (form && Object.keys(value).join(" ") === HEAD && hasHeadTypes(value)) head = value;
      else find(0, "file", "badHead");
    } else if (lines.length > 0) find(0, "file", "noHead");
    if (lines.length === 0) find(0, "file", "empty");
    /** @type {(Fields | null)[]} */
    const records = values.map((value, place) => {
      const text = texts[place] ?? "";
      if (isHead(place)) find(0, "file", "headPlace");
      else if (isTooDeep(value)) find(0, "file", "deep");
      else if (lines[place]?.[0] !== 0x7b || lines[place].at(-1) !== 0x7d) find(0, "file", "line");
      else if (!isRecord(value) || lines[place].length > RECORD_BYTES_MAX)
        find(place + 1, "record", "unreadable");
      else {
        if (JSON.stringify(value) !== text || SURROGATE.test(text)) find(place + 1, "bytes", "form");
        return value;
      }
      return null;
    });
    return { head, records };
  }

  /** Check the header. @param {Fields} record */
  function opening({ by, command, events }) {
    if (![1, 2].includes(header["format"])) find(1, "header", "format");
    const form = isTable(header["seats"]) && isMatchId(header["match"]) && isHash(header["commitment"]);
    const { game, rules, clock = null } = header;
    const rest = typeof game === "string" && Number.isInteger(rules) && (clock === null || isObject(clock));
    if (!form || !rest || events.length !== 1) find(1, "record", "fields");
    const same =
      REQUESTED.every((name) => JSON.stringify(command[name]) === JSON.stringify(header[name])) &&
      (formatOne || sorted(command["options"]) === sorted(header["options"]));
    const spelled = [command, header].some((fields) =>
      DEFAULTS.some(([name, value]) => JSON.stringify(fields[name]) === value),
    );
    if (!formatOne && spelled) find(1, "bytes", "form");
    if (header["creator"] !== by.player || (command.type === "create_match" && !same))
      find(1, "events", "opening");
  }

  /** Return the service seed that the last record reveals. */
  function revealed() {
    const place = records.findIndex((record) => record?.events.some(isEnd));
    if (place < 0) return { secret: null, place: 0 };
    const events = records[place]?.events ?? [];
    if (place < lines.length - 1) find(place + 2, "events", "afterEnd");
    const { secret } = events.find(isEnd);
    const right = events.at(-1)?.secret === secret && isHash(secret);
    if (!right) find(place + 1, "commitment", "hidden");
    return { secret: right ? unhex(secret) : null, place: place + 1 };
  }

  /** @param {Fields} event */
  function isEnd(event) {
    return ENDS.includes(event["type"]);
  }

  /** Check every record against those before it; return the head after each. */
  function followed() {
    /** @type {Map<number, string>} */
    const seats = new Map();
    const sent = new Set();
    /** @type {string[]} */
    const heads = [];
    /** @type {Uint8Array} */
    let before = new Uint8Array(32);
    let number = 0;
    let release = "";
    let at = "1970";
    for (const [place, line] of lines.entries()) {
      const record = records[place];
      const version = place + 1;
      const prev = hex(before);
      before = crypto.sha256(formatOne ? line : bytes("shiplog-record-2\n", before, line));
      heads.push(hex(before));
      if (!record) continue;
      if (record["v"] !== number + 1) find(version, "number", "other");
      number = typeof record["v"] === "number" ? record["v"] : version;
      surface(record, version, prev);
      if (isTime(record["at"]) && record["at"] >= at) at = record["at"];
      else find(version, "time", isTime(record["at"]) ? "earlier" : "none");
      const named = record["release"];
      if (!formatOne && (version === 1 ? !named : named === "" || named === release))
        find(version, "bytes", "release");
      release = named ?? release;
      sender(record, version, seats);
      const name = `${actor(record, seats)} ${record["id"]}`;
      if (sent.has(name)) find(version, "command-id", "repeated");
      sent.add(name);
      for (const { type, seat, player } of record["events"]) {
        if (type === "seat_taken") seats.set(seat, player);
        if (type === "bot_seated") seats.set(seat, "");
        if (type === "seat_freed") seats.delete(seat);
      }
    }
    return heads;
  }

  /** @type {(record: Fields, version: number, prev: string) => void} */
  function surface(record, version, prev) {
    if (typeof record["v"] !== "number") find(version, "record", "fields");
    const fields = Object.keys(record).join(" ");
    const format = formatOne ? 1 : 2;
    if (fields !== FIELDS[format] && fields !== `${FIELDS[2]} release`) find(version, "record", "fields");
    if (!isText(/^[A-Za-z0-9._:-]{1,64}$/, record["id"])) find(version, "record", "id");
    const { release = "" } = record;
    if (!isText(/^[A-Za-z0-9.+!_-]{0,64}$/, release)) find(version, "record", "fields");
    if (!formatOne) {
      if (!isText(/^[0-9a-f]{24}$/, record["digest"])) find(version, "digest", "none");
      return;
    }
    if (record["prev"] !== prev) find(version, "chain", version === 1 ? "first" : "broken");
    if (committed && record["salt"] !== salt(crypto, secret, version)) find(version, "salt", "other");
  }

  /** @type {(record: Fields, version: number, seats: ReadonlyMap<number, string>) => void} */
  function sender({ by }, version, seats) {
    const { seat, clock, player, operator } = by;
    const known = Object.keys(by).every((name) => name === "clock" || SENDERS.includes(name));
    if (!known || (clock !== undefined && clock !== true)) find(version, "bytes", "form");
    const names = [player, operator].filter((name) => name !== undefined);
    if (names.some((name) => typeof name !== "string")) find(version, "record", "fields");
    const senders = [seat ?? clock, player, operator].filter((name) => name !== undefined);
    if (senders.length !== 1) find(version, "sender", senders.length > 1 ? "two" : "nobody");
    else if (seat !== undefined && !seats.has(seat)) find(version, "sender", "empty");
    else if (player !== undefined && [...seats.values()].includes(player)) find(version, "sender", "seated");
    else if (version === 1 && player === undefined) find(1, "sender", "opening");
  }

  /** Return a name for who sent a command. @type {(record: Fields, seats: ReadonlyMap<number, string>) => string} */
  function actor({ by, command }, seats) {
    if (by.clock || command.type === "follow_orders") return "clock";
    return by.seat === undefined ? (by.player ?? by.operator) : seats.get(by.seat) || by.seat;
  }

  /** Check that all dice follow from the secret. @param {Uint8Array} secret */
  function drawn(secret) {
    /** @type {number[]} */
    let wrong = [];
    if (!isKnown(header)) unchecked.set("events", "game");
    else if (records.includes(null)) unchecked.set("events", "unreadable");
    else {
      try {
        wrong = [...new Set(misdrawn(/** @type {Fields[]} */ (records), secret, crypto))];
      } catch {
        // Forged events may fail in any way.
        find(0, "events", "unfit");
      }
    }
    if (committed) for (const version of wrong) find(version, "events", "dice");
    else find(wrong.length > 0 ? reveal : 1, "commitment", "other");
  }

  /** Check the signed head. @param {Fields} head */
  function vouch(head) {
    if (head["version"] !== lines.length) find(0, "file", "otherCount");
    else if (head["head"] !== last) find(0, "file", "otherHead");
    if (head["match"] !== match) find(0, "signature", "otherMatch");
    const key = keys.find(({ service }) => service === head["service"]);
    const named = keys.some(({ service }) => service === header["service"]);
    if (Boolean(key) !== named) find(0, "signature", "otherService");
    if (!key) {
      unchecked.set("signature", keys.length > 0 ? "foreign" : "noKey");
      return;
    }
    const raw = unhex(key.public_key);
    if (hex(crypto.sha256(raw)).slice(0, 16) !== key.service) find(0, "signature", "otherKey");
    const message = bytes(`shiplog-head-1\n${head["match"]}\n${head["version"]}\n${head["head"]}\n`);
    const form = /^[0-9a-f]{128}$/.test(head["signature"]);
    if (!form || !crypto.isSigned(raw, unhex(head["signature"]), message))
      find(head["version"], "signature", "forged");
    else if (key.revoked && (records.at(-1)?.["at"] ?? "") > key.revoked.at)
      unchecked.set("signature", "revoked");
    // Whether the head is among those leaves, only the checkpoint log shows.
    else if (typeof key.revoked?.size === "number") unchecked.set("signature", "undated");
  }
}
