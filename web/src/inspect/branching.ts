/** New matches that go on from a version of another. */
import { api, body } from "../api/client";
import { persist } from "../api/retry";
import { codes } from "../match/codes";
import { matchParams } from "./source";

/** Return a version of the log in the numbering of a seat. */
export async function versionFor(id: string, seat: number, at: number): Promise<number> {
  const params = matchParams(id, { view: "full", eyes: String(seat), at });
  return (await body(api.GET("/matches/{match}", { params }))).version;
}

interface Branch {
  /** In the numbering of the seat. */
  version: number;
  /** The seat whose knowledge is kept. What it could not know is dealt again. */
  seat: number;
  /** Who takes each seat: `me`, the level of a bot, or null for nobody yet. */
  seats: readonly (string | null)[];
  private: boolean;
}

/** Open a branch; return its match. The same key opens the same one again. */
export async function openBranch(id: string, branch: Branch, key: string): Promise<string> {
  const made = await persist(
    () =>
      body(
        api.POST("/matches/{match}/branches", {
          params: { ...matchParams(id), header: { "Idempotency-Key": key } },
          body: { ...branch, seats: [...branch.seats], truth: false, away_after: 3 },
        }),
      ),
    { tries: 5 },
  );
  if (made.join_code) codes.keep(made.match, made.join_code);
  return made.match;
}
