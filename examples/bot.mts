/**
 * A bot that plays any game by the list of legal commands. Node 22.18 or newer runs it as it is.
 *
 *     node bot.mts URL TOKEN [MATCH …]   takes a seat in the matches, and plays until they are over
 *     node bot.mts --stdio               plays in `shiplog bot-match`
 *
 * Without a match it plays in all of its matches until it is stopped.
 */
import { createInterface } from "node:readline";

type Json = Record<string, any>;

const [url, token, ...named] = process.argv.slice(2) as [string, string, ...string[]];
const lost = (error: Error) => void console.error(`${url}: ${error.cause ?? error}. Trying again.`);
const sleep = (seconds: number) => new Promise((wake) => setTimeout(wake, seconds * 1000));

/** Return one of the legal commands. A better bot looks at the view. */
function choose(_view: Json, legal: readonly Json[]): Json {
  return legal[Math.floor(Math.random() * legal.length)]!;
}

/** Send a request until it is answered. */
async function call(method: string, path: string, json?: Json, more = {}): Promise<Response> {
  const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json", ...more };
  const body = json && JSON.stringify(json);
  for (;;) {
    const answer = await fetch(url + path, { method, headers, body }).catch(lost);
    if (answer && answer.status !== 429 && answer.status !== 503) return answer;
    await sleep(Number(answer?.headers.get("Retry-After") ?? 1));
  }
}

const read = async (path: string) => (await call("GET", path)).json() as Promise<Json>;

/** Send a command. Under its key it counts once. */
async function send(match: string, command: Json, version = "*"): Promise<Response> {
  const headers = { "Idempotency-Key": crypto.randomUUID(), "If-Match": version };
  return call("POST", `/matches/${match}/commands`, command, headers);
}

/** Take a seat, unless the bot has one already. */
async function sit(match: string): Promise<void> {
  const answer = await send(match, { type: "take_seat" });
  if (answer.ok || (await read(`/matches/${match}`)).you != null) return;
  stop(`${match}: ${((await answer.json()) as Json).detail}`);
}

function stop(why: string): never {
  console.error(why);
  process.exit(1);
}

/** Yield the notices of the stream, which resumes where it was lost. */
async function* notices(): AsyncGenerator<Json> {
  let place: Record<string, string> = {};
  for (;;) {
    try {
      const answer = await call("GET", "/players/me/stream", undefined, place);
      if ([401, 403].includes(answer.status)) stop(((await answer.json()) as Json).detail);
      let rest = "";
      for await (const chunk of answer.body!.pipeThrough(new TextDecoderStream())) {
        const lines = (rest + chunk).split(/\r?\n/);
        rest = lines.pop()!;
        for (const line of lines) {
          if (line.startsWith("id: ")) place = { "Last-Event-ID": line.slice(4) };
          else if (line.startsWith("data: ")) yield JSON.parse(line.slice(6)) as Json;
        }
      }
    } catch (error) {
      if (!(error instanceof TypeError)) throw error; // a lost connection is a TypeError
    }
    await sleep(1);
  }
}

/** Send one command if it is this bot's turn. */
async function turn(match: string): Promise<void> {
  for (;;) {
    const { commands, version } = await read(`/matches/${match}/legal`);
    if (!commands?.length) return;
    const { view } = await read(`/matches/${match}`);
    const answer = await send(match, choose(view, commands), `"${version}"`);
    if (answer.status === 403) stop(`${match}: ${((await answer.json()) as Json).detail}`);
    if (answer.ok) return;
  }
}

async function isOver(match: string): Promise<boolean> {
  return !["waiting", "running"].includes((await read(`/matches/${match}`)).status);
}

/** Answer every notice, until all of the matches are over. */
async function play(matches: Set<string>): Promise<void> {
  for (const match of matches) await sit(match);
  for await (const notice of notices()) {
    const asked: Json[] = notice.standing ?? [notice];
    for (const { type, match } of asked) if (type === "turn") await turn(match);
    if (notice.type === "match_over" || notice.type === "reset")
      for (const match of matches) if (await isOver(match)) matches.delete(match);
    if (named.length && !matches.size) process.exit();
  }
}

if (url === "--stdio") {
  for await (const line of createInterface({ input: process.stdin })) {
    const message = JSON.parse(line) as Json;
    if (message.type !== "your_turn") continue;
    console.log(JSON.stringify(choose(message.view, message.legal)));
  }
} else if (!token) stop("Usage: node bot.mts URL TOKEN [MATCH …], or node bot.mts --stdio");
else await play(new Set(named));
