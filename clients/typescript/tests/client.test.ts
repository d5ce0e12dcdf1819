/** Retries, keys, tokens and refusals, against a service that misbehaves. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { accepted, Offline, PATIENCE, persist, Refusal, waitMs } from "../src/index.js";
import { lost, problem, Script } from "./script.js";

const ACCEPTED = { game: "tranquility", version: 4, head: "aa", events: [], view: null };
const RESIGN = { params: { path: { match: "m_1" } }, body: { type: "resign" } } as const;
const LEGAL = { params: { path: { match: "m_1" } } } as const;
const ADA = { body: { name: "Ada" } } as const;

const refusal = (status: number, code: string) => (error: unknown) =>
  error instanceof Refusal && error.status === status && error.code === code;

/** A service that does not answer. */
const silent = (request: Request) =>
  new Promise<Response>((_, reject) => {
    request.signal.addEventListener("abort", () => reject(request.signal.reason));
  });

test("a command keeps its key over lost connections and overload", async () => {
  const busy = problem(503, "log-unavailable");
  const script = new Script(lost(), busy, Response.json(ACCEPTED));
  const told = await accepted(script.client().POST("/matches/{match}/commands", RESIGN));
  assert.equal(told.version, 4);
  assert.equal(script.sent.length, 3);
  assert.equal(new Set(script.headers("Idempotency-Key")).size, 1);
  for (const request of script.sent) assert.deepEqual(await request.json(), RESIGN.body);
});

test("an answer that is cut off is asked for again", async () => {
  const body = new ReadableStream({ pull: (controller) => controller.error(lost()) });
  const script = new Script(new Response(body), Response.json(ACCEPTED));
  const told = await accepted(script.client().POST("/matches/{match}/commands", RESIGN));
  assert.equal(told.version, 4);
  assert.equal(new Set(script.headers("Idempotency-Key")).size, 1);
});

test("each call that counts once has a key of its own", async () => {
  const script = new Script(Response.json(ACCEPTED), Response.json(ACCEPTED), Response.json([]));
  const client = script.client();
  await client.POST("/matches/{match}/commands", RESIGN);
  await client.POST("/invitations/{invitation}/accept", {
    params: { path: { invitation: "i_1" } },
    body: {},
  });
  await client.GET("/games");
  const [first, second, none] = script.headers("Idempotency-Key");
  assert.ok(first && second && first !== second);
  assert.equal(none, null);
});

test("a key of one's own is kept", async () => {
  const script = new Script(Response.json(ACCEPTED));
  const header = { "Idempotency-Key": "mine" };
  const params = { ...RESIGN.params, header };
  await script.client().POST("/matches/{match}/commands", { ...RESIGN, params });
  assert.deepEqual(script.headers("Idempotency-Key"), ["mine"]);
});

test("what does not count once is not sent again blindly", async () => {
  const once = new Script(lost());
  await assert.rejects(once.client().POST("/players", ADA), Offline);
  assert.equal(once.sent.length, 1);
  const welcome = Response.json({ player: "p_1", token: "t", recovery: "r" }, { status: 201 });
  const refused = new Script(problem(503, "log-unavailable"), welcome);
  assert.equal((await accepted(refused.client().POST("/players", ADA))).player, "p_1");
  assert.equal(refused.sent.length, 2);
});

test("patience ends", async () => {
  const down = new Script(lost(), lost(), lost());
  await assert.rejects(down.client().GET("/matches/{match}/legal", LEGAL), {
    name: "Offline",
    message: "Cannot reach http://shiplog: connect ECONNREFUSED",
  });
  assert.equal(down.left, 0);
  const busy = new Script(...[1, 2, 3].map(() => problem(429, "rate-limited")));
  const legal = accepted(busy.client().GET("/matches/{match}/legal", LEGAL));
  await assert.rejects(legal, refusal(429, "rate-limited"));
  assert.equal(busy.left, 0);
});

test("a service that does not answer is asked again", async () => {
  const script = new Script(silent, Response.json([]));
  const client = script.client(() => null, { answerMs: 1 });
  assert.deepEqual(await accepted(client.GET("/games")), []);
});

test("the service says how long to wait", async () => {
  const busy = problem(503, "log-unavailable", { "Retry-After": "7" });
  assert.equal(waitMs(0, PATIENCE, Refusal.from(busy, null)), 7000);
  assert.ok(waitMs(0) >= 200 && waitMs(0) <= 400);
  assert.ok(waitMs(20) <= 15_000);
  const waits: number[] = [];
  const pause = async (ms: number): Promise<void> => void waits.push(ms);
  const script = new Script(busy, Response.json([]));
  await accepted(script.client(() => null, { pause }).GET("/games"));
  assert.deepEqual(waits, [7000]);
});

test("a refusal has the code and the problem", async () => {
  const script = new Script(problem(404, "not-found"));
  const legal = accepted(script.client().GET("/matches/{match}/legal", LEGAL));
  await assert.rejects(legal, (error) => {
    assert.ok(error instanceof Refusal);
    assert.deepEqual([error.status, error.code, error.passing], [404, "not-found", false]);
    assert.equal(error.message, "not-found: Not here.");
    assert.equal(error.problem.detail, "Not here.");
    assert.deepEqual(error.errors, []);
    return true;
  });
});

test("the page of a proxy is a refusal, too", async () => {
  const script = new Script(new Response("<h1>Bad gateway</h1>", { status: 400 }));
  const games = accepted(script.client().GET("/games"));
  await assert.rejects(games, { code: "unavailable", message: /The service answered 400/ });
});

test("the token is asked for with each call", async () => {
  const tokens = ["one", null, "three"];
  const script = new Script(...[1, 2, 3].map(() => Response.json([])));
  const client = script.client(() => tokens.shift() ?? null);
  for (let call = 0; call < 3; call++) await client.GET("/games");
  assert.deepEqual(script.headers("Authorization"), ["Bearer one", null, "Bearer three"]);
});

test("a signal ends a call, also while it waits for the next try", async () => {
  const closing = new AbortController();
  const script = new Script(lost());
  const pause = (_: number, signal?: AbortSignal): Promise<void> => {
    closing.abort(new Error("closed"));
    return PATIENCE.pause(60_000, signal);
  };
  const client = script.client(() => null, { pause });
  await assert.rejects(client.GET("/games", { signal: closing.signal }), /closed/);
  const open = new AbortController();
  const asked = new Script(silent).client().GET("/games", { signal: open.signal });
  open.abort(new Error("left"));
  await assert.rejects(asked, /left/);
});

test("any call can be repeated", async () => {
  const told: unknown[] = [];
  let tries = 0;
  const call = async (): Promise<number> => {
    tries += 1;
    if (tries < 3) throw new Offline("down");
    return tries;
  };
  const patience = { tries: 3, firstMs: 1 };
  assert.equal(await persist(call, { patience, lost: (error) => told.push(error) }), 3);
  assert.equal(told.length, 2);
  const broken = async (): Promise<never> => {
    throw new RangeError("a bug");
  };
  await assert.rejects(persist(broken, { patience }), RangeError);
});
