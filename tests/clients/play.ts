/**
 * Play a match of each game to its end by `legal`, with the TypeScript package `@shiplog/client`.
 * Run: node built/play.js URL GAME… It prints a line for each match.
 */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { accepted, type Client, connect, follow, followNotices, Receipts } from "@shiplog/client";
import type { Schemas } from "@shiplog/client";

type Game = Schemas["MatchView"]["game"];

const COMMANDS_MAX = 5_000;
const [url, ...games] = process.argv.slice(2) as [string, ...Game[]];

/** Options that shorten random play, typed by game. */
const QUICK: Schemas["CaptainSonarNewMatch"] = {
  game: "captain_sonar",
  seats: 2,
  options: { radio_assist: "none", max_turns: 40 },
};

const receipts = new Receipts();
const keys = await accepted(connect(url).GET("/keys"));

async function register(name: string): Promise<Client> {
  const { token } = await accepted(connect(url).POST("/players", { body: { name } }));
  return connect(url, { token: () => token, receipts });
}

/** Create a match and take all of its seats. */
async function start(game: Game, players: readonly Client[]): Promise<string> {
  const opening = { game, seats: players.length } as Schemas["NewMatch"];
  const body = game === "captain_sonar" ? QUICK : opening;
  const { match } = await accepted(players[0]!.POST("/matches", { body }));
  const params = { path: { match } };
  for (const [seat, player] of players.entries()) {
    const sit = { type: "take_seat", seat } as const;
    await accepted(player.POST("/matches/{match}/commands", { params, body: sit }));
  }
  return match;
}

/** A small generator of numbers: each run plays the same matches if the dice are the same. */
function dice(seed: number): (sides: number) => number {
  return (sides) => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((seed / 2 ** 32) * sides);
  };
}

/** Send random legal commands until no player has any; return their number. */
async function play(match: string, players: readonly Client[]): Promise<number> {
  const roll = dice(match.length);
  const path = { match };
  let sent = 0;
  for (let idle = 0; idle < players.length;) {
    const player = players[(sent + idle) % players.length]!;
    const legal = await accepted(player.GET("/matches/{match}/legal", { params: { path } }));
    const body = legal.commands[roll(legal.commands.length)];
    if (body === undefined) {
      idle += 1;
      continue;
    }
    const params = { path, header: { "If-Match": `"${legal.version}"` } };
    const told = await accepted(player.POST("/matches/{match}/commands", { params, body }));
    assert.ok(told.version > legal.version);
    [sent, idle] = [sent + 1, 0];
    assert.ok(sent < COMMANDS_MAX, "the match does not end");
  }
  return sent;
}

/** Return when the player has been told that so many matches are over. */
async function toldOver(notices: ReturnType<typeof followNotices>, matches: number): Promise<void> {
  const over = new Set<string>();
  for await (const { notice } of notices) {
    if (notice.type === "match_over") over.add(notice.match);
    if (over.size === matches) return;
  }
}

const players = [await register("Ada"), await register("Bob")];
const [ada] = players as [Client];
const notices = followNotices(ada);
assert.equal((await notices.next()).value?.notice.type, "reset");
const told = toldOver(notices, games.length);
for (const game of games) {
  const match = await start(game, players);
  const commands = await play(match, players);
  const view = await accepted(ada.GET("/matches/{match}", { params: { path: { match } } }));
  assert.ok("you" in view && view.game === game && view.status === "finished");
  assert.ok(receipts.of(match).some(({ head }) => head === view.head));
  const versions = [];
  for await (const { v } of follow(ada, match)) versions.push(v);
  assert.deepEqual(
    versions,
    [...Array(view.version).keys()].map((index) => index + 1),
  );
  assert.deepEqual(await receipts.objections(keys), []);
  writeFileSync(`receipts-${game}.jsonl`, receipts.lines(match));
  console.log(JSON.stringify({ game, commands, result: view.result }));
}
await told;
