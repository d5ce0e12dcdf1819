/** Open a match, take its first seat, and seat bots at the last ones. */
import { api, body } from "../api/client";
import { freshKey, persist } from "../api/retry";
import type { NewMatch } from "../api/types";
import { codes } from "./codes";

/** Return the id of the new match. `again` is called when a request is sent once more. */
export async function openMatch(
  asked: NewMatch,
  bots: number,
  level: string,
  again: () => void,
): Promise<string> {
  const key = freshKey();
  const created = await persist(
    () => body(api.POST("/matches", { params: { header: { "Idempotency-Key": key } }, body: asked })),
    again,
  );
  if (created.join_code) codes.keep(created.match, created.join_code);
  const send = (command: object): Promise<unknown> => {
    const own = freshKey();
    return persist(
      () =>
        body(
          api.POST("/matches/{match}/commands", {
            params: { path: { match: created.match }, header: { "Idempotency-Key": own } },
            body: command as never,
          }),
        ),
      again,
    );
  };
  await send({ type: "take_seat", seat: 0, entropy: freshKey() });
  for (let bot = 0; bot < bots; bot++) {
    await send({ type: "add_bot", seat: asked.seats - 1 - bot, level });
  }
  return created.match;
}
