/**
 * Play a match of each game to its end by `legal`, with the client that is generated for TypeScript.
 * Run: node built/play.js URL GAME… It prints a line for each match.
 */
import createClient, { type Client } from "openapi-fetch";
import type { components, paths } from "./schema.js";

type Schemas = components["schemas"];
type Api = Client<paths>;
type Game = Schemas["MatchView"]["game"];

const COMMANDS_MAX = 5_000;
const [url, ...games] = process.argv.slice(2) as [string, ...Game[]];

/** Options that shorten random play, typed by game. */
const QUICK: Schemas["CaptainSonarNewMatch"] = {
  game: "captain_sonar",
  seats: 2,
  options: { radio_assist: "none", max_turns: 40 },
};

/** Return the body of an answer, which must not be a problem. */
function accepted<T>({ data, error }: { data?: T; error?: unknown }): T {
  if (data === undefined) throw new Error(`refused: ${JSON.stringify(error)}`);
  return data;
}

async function register(name: string): Promise<Api> {
  const baseUrl = url;
  const { token } = accepted(await createClient<paths>({ baseUrl }).POST("/players", { body: { name } }));
  return createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${token}` } });
}

/** Create a match and take all of its seats. */
async function start(game: Game, players: readonly Api[]): Promise<string> {
  const body = game === "captain_sonar" ? QUICK : ({ game, seats: players.length } as Schemas["NewMatch"]);
  const { match } = accepted(await players[0]!.POST("/matches", { body }));
  for (const [seat, player] of players.entries())
    accepted(await player.POST("/matches/{match}/commands", { params: { path: { match } }, body: { type: "take_seat", seat } }));
  return match;
}

/** A small generator of numbers, so that each run plays the same matches if the dice are the same. */
function dice(seed: number): (sides: number) => number {
  return (sides) => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((seed / 2 ** 32) * sides);
  };
}

/** Send random legal commands until no player has any; return their number. */
async function play(match: string, players: readonly Api[]): Promise<number> {
  const roll = dice(match.length);
  const params = { path: { match } };
  let sent = 0;
  for (let idle = 0; idle < players.length; ) {
    const player = players[(sent + idle) % players.length]!;
    const { commands } = accepted(await player.GET("/matches/{match}/legal", { params }));
    const body = commands[roll(commands.length)];
    if (body === undefined) {
      idle += 1;
      continue;
    }
    accepted(await player.POST("/matches/{match}/commands", { params, body }));
    [sent, idle] = [sent + 1, 0];
    if (sent > COMMANDS_MAX) throw new Error("the match does not end");
  }
  return sent;
}

const players = [await register("Ada"), await register("Bob")];
for (const game of games) {
  const match = await start(game, players);
  const commands = await play(match, players);
  const view = accepted(await players[0]!.GET("/matches/{match}", { params: { path: { match } } }));
  if (!("you" in view) || view.game !== game || view.status !== "finished" || view.result === null)
    throw new Error(`not finished: ${view.status}`);
  console.log(JSON.stringify({ game, commands, result: view.result }));
}
