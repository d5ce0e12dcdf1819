/**
 * The check of an exported file under Node: `node node.mjs FILE KEYS`. `KEYS` is a public key in
 * hex, or a file as `GET /keys` answers. It exits
 * with 0 if the log holds, 1 if it is broken, 2 if an argument cannot be read, and 3 if no known key
 * vouches for it.
 */
import { createHash, createHmac, createPublicKey, verify as isSigned } from "node:crypto";
import { existsSync, readFileSync, realpathSync } from "node:fs";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { hex, unhex } from "./bytes.mjs";
import { isTime, verify } from "./verify.mjs";

const SPKI = "302a300506032b6570032100";
const KEY = /^[0-9a-f]{64}$/;

/**
 * Return what a function returns, or end with its error.
 *
 * @template T
 * @param {() => T} work
 */
function orMisused(work) {
  try {
    return work();
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exit(2);
  }
}

/** @type {import("./chance.mjs").Crypto} */
export const crypto = {
  sha256: (data) => new Uint8Array(createHash("sha256").update(data).digest()),
  hmacSha256: (key, data) => new Uint8Array(createHmac("sha256", key).update(data).digest()),
  isSigned(key, signature, data) {
    const spki = Buffer.from(SPKI + hex(key), "hex");
    return isSigned(null, data, createPublicKey({ key: spki, format: "der", type: "spki" }), signature);
  },
};

/** Return whether a value is a key as `GET /keys` answers. @param {any} key */
const isKey = (key) => KEY.test(key?.public_key) && (!key.revoked || isTime(key.revoked.at));

/**
 * Return the keys that an argument names. Throws an error if it names none.
 *
 * @param {string | undefined} keys
 * @returns {import("./verify.mjs").Key[]}
 */
export function keysOf(keys) {
  if (keys === undefined) return [];
  if (!KEY.test(keys)) {
    const found = JSON.parse(readFileSync(keys, "utf8"));
    if (Array.isArray(found) && found.every(isKey)) return found;
    throw new Error(`${keys} does not have keys as GET /keys answers.`);
  }
  return [{ service: hex(crypto.sha256(unhex(keys))).slice(0, 16), public_key: keys }];
}

const [, main = ""] = process.argv;
if (existsSync(main) && realpathSync(main) === fileURLToPath(import.meta.url)) {
  const [file, keys] = process.argv.slice(2);
  if (file === undefined) {
    console.error("Usage: node node.mjs FILE [KEY | KEYS.json]");
    process.exit(2);
  }
  const [data, known] = orMisused(() => /** @type {const} */ ([readFileSync(file), keysOf(keys)]));
  const { match, records, findings, unchecked } = verify(data, known, crypto);
  const words = JSON.parse(readFileSync(new URL("../inspect/en.json", import.meta.url), "utf8")).chain.why;
  for (const { version, check, why } of findings)
    console.log(`${check}, record ${version}: ${words[check][why].replace("{{before}}", version - 1)}`);
  for (const [check, why] of unchecked) console.log(`${check} not checked: ${words[check][why]}`);
  const verdict = findings.length > 0 ? "broken" : unchecked.has("signature") ? "unauthenticated" : "holds";
  console.log(`${match}: ${records} records, ${verdict}`);
  process.exit({ holds: 0, broken: 1, unauthenticated: 3 }[verdict]);
}
