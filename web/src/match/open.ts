/** Open matches: the usual table of a game, and the first seat with bots at the last ones. */
import { api, body } from "../api/client";
import { freshKey, persist } from "../api/retry";
import type { GameSummary, NewMatch } from "../api/types";
import { usualLevel } from "../bots/naming";
import { codes } from "./codes";

/** The clocks that players are offered first. */
export const USUAL_MOVE = { type: "per_move", seconds: 90 } as const;
export const USUAL_BANK = { type: "bank", seconds: 600, increment: 15 } as const;

/** Return how many play a game, and against which bots, unless the player says otherwise. */
export function usualTable({ seats, bots }: GameSummary): { seats: number; bots: number; level: string } {
  const count = seats.includes(2) ? 2 : (seats[0] ?? 1);
  return { seats: count, bots: bots.length > 0 ? Math.min(1, count - 1) : 0, level: usualLevel(bots) };
}

/**
 * Open a match, take its first seat, and seat bots at the last ones. Return the match's id. `again` is
 * called when a request is sent once more. A newcomer's token comes in `headers`.
 */
export async function openMatch(
  asked: NewMatch,
  bots: number,
  level: string,
  again: () => void,
  headers: { Authorization?: string } = {},
): Promise<string> {
  const key = freshKey();
  const created = await persist(
    () =>
      body(api.POST("/matches", { params: { header: { "Idempotency-Key": key } }, headers, body: asked })),
    { lost: again },
  );
  if (created.join_code) codes.keep(created.match, created.join_code);
  const send = (command: object): Promise<unknown> => {
    const own = freshKey();
    return persist(
      () =>
        body(
          api.POST("/matches/{match}/commands", {
            params: { path: { match: created.match }, header: { "Idempotency-Key": own } },
            headers,
            body: command as never,
          }),
        ),
      { lost: again },
    );
  };
  await send({ type: "take_seat", seat: 0, entropy: freshKey() });
  for (let bot = 0; bot < bots; bot++) {
    await send({ type: "add_bot", seat: asked.seats - 1 - bot, level });
  }
  return created.match;
}

/** The options that a form begins with, at a table with some bots. */
export function proposedOptions(game: GameSummary, seats: number, bots: number): Record<string, unknown> {
  const alone = bots > 0 && bots === seats - 1;
  return { ...game.recommended, ...(alone ? game.recommended_with_bots : {}) };
}

/** Open the usual table of a game against bots, and return the match's id. `again` as in `openMatch`. */
export function openWithBots(
  game: GameSummary,
  again: () => void,
  headers: { Authorization?: string } = {},
): Promise<string> {
  const { seats, bots, level } = usualTable(game);
  const options = proposedOptions(game, seats, bots);
  const asked = { game: game.slug, seats, options, clock: null, private: false } as NewMatch;
  return openMatch(asked, bots, level, again, headers);
}
