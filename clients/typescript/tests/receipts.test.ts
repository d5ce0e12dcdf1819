/** Receipts: when a client asks for them, what it keeps, and what it objects to. */
import assert from "node:assert/strict";
import { createHash, generateKeyPairSync, sign as signature } from "node:crypto";
import { test } from "node:test";
import { accepted, Receipts } from "../src/index.js";
import { Script } from "./script.js";

const { publicKey, privateKey } = generateKeyPairSync("ed25519");
const raw = Buffer.from(publicKey.export({ format: "jwk" }).x!, "base64url");
const service = hash(raw).toString("hex").slice(0, 16);
const KEYS = [{ service, public_key: raw.toString("hex") }];
const params = { path: { match: "m_1" } };

function hash(...parts: Uint8Array[]): Buffer {
  return createHash("sha256").update(Buffer.concat(parts)).digest();
}

/** Return a receipt as the service sends it, with a path of the given length. */
function receipt(version: number, head: string, match = "m_1", index = 0, depth = 0): string {
  const at = "2026-11-21T09:00:00.000000Z";
  const told = { salt: "00", match, viewer: 1, version, head, at, key: service };
  const fields = Object.values(told).flatMap((value) => {
    const text = Buffer.from(String(value));
    const length = Buffer.alloc(4);
    length.writeUInt32BE(text.length);
    return [length, text];
  });
  const path = Array.from({ length: depth }, (_, height) => hash(Buffer.of(height)));
  let root = hash(Buffer.from("shiplog-receipt-1\n"), ...fields);
  path.forEach((sibling, height) => {
    root = hash(Buffer.of(1), ...((index >> height) & 1 ? [sibling, root] : [root, sibling]));
  });
  const data = Buffer.concat([Buffer.from("shiplog-receipts-1\n"), root]);
  return JSON.stringify({
    ...told,
    index,
    path: path.map((sibling) => sibling.toString("hex")),
    signature: signature(null, data, privateKey).toString("hex"),
  });
}

test("a client asks with each view, and with a command only if the last receipt is old", async () => {
  const receipts = new Receipts(3_600_000);
  const headers = { Receipt: receipt(4, "aa") };
  const answers = [Response.json({}), Response.json({}, { headers }), Response.json({})];
  const script = new Script(...answers, Response.json({}), Response.json({}));
  const client = script.client(undefined, {}, receipts);
  const body = { type: "resign" } as const;
  for (let sent = 0; sent < 3; sent++) {
    const header = { Prefer: "return=minimal" };
    await client.POST("/matches/{match}/commands", { params: { ...params, header }, body });
  }
  await client.GET("/matches/{match}", { params });
  await client.GET("/matches/{match}/legal", { params });
  const both = "return=minimal, receipt";
  assert.deepEqual(script.headers("Prefer"), [both, both, "return=minimal", "receipt", null]);
  assert.equal(receipts.size, 1);

  const silent = new Script(Response.json({ status: "open" }));
  await accepted(silent.client().GET("/matches/{match}", { params }));
  assert.deepEqual(silent.headers("Prefer"), [null]);
});

test("the receipts of a match are saved as they came, each once", () => {
  const receipts = new Receipts();
  const [first, second, other] = [receipt(4, "aa"), receipt(5, "bb"), receipt(5, "bb", "m_2")];
  for (const text of [first, second, second, other]) receipts.keep(text);
  assert.equal(receipts.size, 3);
  assert.equal(receipts.lines("m_1"), `${first}\n${second}\n`);
  assert.equal(receipts.lines(), `${first}\n${second}\n${other}\n`);
  assert.deepEqual(receipts.of("m_3"), []);
});

test("receipts that a known key signed prove what they say, wherever they stood", async () => {
  const receipts = new Receipts();
  for (let index = 0; index < 16; index++) receipts.keep(receipt(index + 1, "aa", "m_1", index, 4));
  assert.equal(receipts.size, 16);
  assert.deepEqual(await receipts.objections(KEYS), []);
  assert.equal((await receipts.objections([])).length, 16);
  const stranger = { service, public_key: "00".repeat(32) };
  assert.equal((await receipts.objections([stranger])).length, 16);
});

test("what a key signed after it was revoked proves nothing", async () => {
  const receipts = new Receipts();
  receipts.keep(receipt(4, "aa"));
  const [key] = KEYS;
  for (const [at, found] of [
    ["2026-11-21T09:00:00.000000Z", []],
    ["2026-11-21T08:59:59.999999Z", [`m_1 version 4 of 1: key ${service} had been revoked`]],
  ] as const)
    assert.deepEqual(await receipts.objections([{ ...key!, revoked: { at } }]), found);
});

test("forged and contradicting receipts are named", async () => {
  const receipts = new Receipts();
  const forged: [string, string][] = [
    ['"version":5', '"version":6'],
    ['"viewer":1', '"viewer":"1 "'],
    ['"index":0', '"index":1'],
    ['"path":[]', `"path":["${"00".repeat(32)}"]`],
    ['"signature":"', '"signature":"00'],
  ];
  receipts.keep(receipt(4, "aa"));
  receipts.keep(receipt(4, "bb"));
  assert.deepEqual(await receipts.objections(KEYS), [
    "m_1 version 4 of 1: the service signed two different heads",
  ]);
  for (const [from, to] of forged) {
    const text = receipt(5, "cc");
    assert.ok(text.includes(from));
    const kept = new Receipts();
    kept.keep(text.replace(from, to));
    assert.match((await kept.objections(KEYS)).join(), /: no known key signed it$/);
  }
});
