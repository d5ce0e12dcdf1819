/** Streams that resume, against a service that cuts them. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type Client, follow, type Following, followNotices } from "../src/index.js";
import { lost, problem, Script } from "./script.js";

const HEADERS = { "Content-Type": "text/event-stream" };
const ALIVE = ": still here\r\ndata: \r\n\r\n";
const END = "event: end\r\ndata: {}\r\n\r\n";

function record(v: number): string {
  const told = { v, game: "tranquility", at: "2026-11-21T09:00:00.000000Z", events: [] };
  return `id: ${v}\r\nevent: record\r\ndata: ${JSON.stringify(told)}\r\n\r\n`;
}

const FIRST = `${ALIVE}${record(1)}${record(2)}id: 3\r\nevent: rec`;

function streamed(body: string | ReadableStream): Response {
  return new Response(body, { headers: HEADERS });
}

/** A stream that ends in the middle of an event, as a lost connection does, or falls silent. */
function cut(text: string, silent = false): Response {
  const bytes = new TextEncoder().encode(text);
  const parts = [bytes.slice(0, 7), bytes.slice(7)];
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const part = parts.shift();
      if (part) controller.enqueue(part);
      else if (!silent) controller.error(new TypeError("terminated"));
      else return new Promise<void>(() => undefined);
    },
  });
  return streamed(body);
}

async function versions(client: Client, following: Following = {}): Promise<number[]> {
  const seen = [];
  for await (const { v } of follow(client, "m_1", following)) seen.push(v);
  return seen;
}

test("a stream resumes after the last whole record", async () => {
  const links: boolean[] = [];
  const script = new Script(cut(FIRST), lost(), streamed(record(3) + END));
  assert.deepEqual(await versions(script.client(), { link: (up) => links.push(up) }), [1, 2, 3]);
  assert.deepEqual(script.headers("Last-Event-ID"), ["0", "2", "2"]);
  assert.deepEqual(script.headers("Authorization"), ["Bearer t", "Bearer t", "Bearer t"]);
  assert.deepEqual(links, [true, false, true]);
});

test("a stream that falls silent is opened again", async () => {
  const script = new Script(cut(record(1), true), streamed(record(2) + END));
  const client = script.client(() => "t", { silenceMs: 5 });
  assert.deepEqual(await versions(client), [1, 2]);
});

test("a stream may begin later, and with a join code", async () => {
  const script = new Script(streamed(END));
  const records = follow(script.client(), "m_1", { after: 7, joinCode: "a b" });
  assert.equal((await records.next()).done, true);
  assert.deepEqual(script.headers("Last-Event-ID"), ["7"]);
  assert.match(script.sent[0]!.url, /\/matches\/m_1\/stream\?join_code=a%20b$/);
});

test("receipts are told as they came, from answers and streams", async () => {
  const receipts: string[] = [];
  const keeper = { keep: (text: string) => void receipts.push(text), asks: () => false };
  const signed = { headers: { Receipt: '{"version":1}' } };
  const stream = streamed('event: receipt\ndata: {"version":2}\n\n' + END);
  const script = new Script(Response.json([], signed), Response.json([]), stream);
  const client = script.client(undefined, {}, keeper);
  await client.GET("/games");
  await client.GET("/games");
  assert.deepEqual(await versions(client), []);
  assert.deepEqual(receipts, ['{"version":1}', '{"version":2}']);
});

test("a refused stream says why", async () => {
  const refused = new Script(problem(404, "not-found")).client();
  await assert.rejects(versions(refused), { name: "Refusal", code: "not-found" });
});

test("notices resume at their place", async () => {
  const turn = (id: string): string => `id: ${id}\ndata: {"type":"turn","match":"m_${id}"}\n\n`;
  const script = new Script(cut(turn("5")), streamed(turn("6")), streamed(turn("7")));
  const closing = new AbortController();
  const places: string[] = [];
  const notices = followNotices(script.client(), { after: "4", signal: closing.signal });
  await assert.rejects(async () => {
    for await (const { place, notice } of notices) {
      assert.equal(notice.type, "turn");
      places.push(place);
      if (place === "7") closing.abort(new Error("closed"));
    }
  }, /closed/);
  assert.deepEqual(places, ["5", "6", "7"]);
  assert.deepEqual(script.headers("Last-Event-ID"), ["4", "5", "6"]);
});

test("the first notices have no place", async () => {
  const script = new Script(streamed(ALIVE + 'id: 1\ndata: {"type":"reset","standing":[]}\n\n'));
  const { value } = await followNotices(script.client()).next();
  assert.equal(value?.place, "1");
  assert.deepEqual(script.headers("Last-Event-ID"), [null]);
});

test("a stream that nobody reads any more is closed", async () => {
  let closed = false;
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new TextEncoder().encode(record(1))),
    cancel: () => void (closed = true),
  });
  for await (const { v } of follow(new Script(streamed(body)).client(), "m_1")) {
    assert.equal(v, 1);
    break;
  }
  assert.equal(closed, true);
});
