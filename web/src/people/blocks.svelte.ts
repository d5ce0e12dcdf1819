/** Whom the player has blocked, and the matches whose chat is muted. */
import { api, body, tellable } from "../api/client";
import { session } from "../api/session.svelte";

class Blocks {
  blocked = $state.raw<ReadonlySet<string>>(new Set());
  muted = $state.raw<ReadonlySet<string>>(new Set());

  /** Fetch both lists. Without an answer they stay as they are. */
  async load(): Promise<void> {
    const player = session.player?.player;
    if (player === undefined) return;
    try {
      const [blocked, muted] = await Promise.all([
        body(api.GET("/players/me/blocks")),
        body(api.GET("/players/me/mutes")),
      ]);
      if (session.player?.player !== player) return;
      this.blocked = new Set(blocked.map((one) => one.player));
      this.muted = new Set(muted);
    } catch (error) {
      tellable(error);
    }
  }

  /** Block or unblock a player; throws the refusal. */
  async block(player: string, blocked: boolean): Promise<void> {
    const params = { path: { player } };
    await body(
      blocked ? api.PUT("/blocks/{player}", { params }) : api.DELETE("/blocks/{player}", { params }),
    );
    this.blocked = changed(this.blocked, player, blocked);
  }

  /** Mute or unmute the chat of a match; throws the refusal. */
  async mute(match: string, code: string | null, muted: boolean): Promise<void> {
    const path = { match };
    await body(
      muted
        ? api.PUT("/mutes/{match}", { params: { path, query: code ? { join_code: code } : {} } })
        : api.DELETE("/mutes/{match}", { params: { path } }),
    );
    this.muted = changed(this.muted, match, muted);
  }
}

function changed(all: ReadonlySet<string>, one: string, isIn: boolean): ReadonlySet<string> {
  const rest = [...all].filter((other) => other !== one);
  return new Set(isIn ? [...rest, one] : rest);
}

export const blocks = new Blocks();
