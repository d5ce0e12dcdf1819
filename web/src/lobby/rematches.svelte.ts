/** Offers of a rematch to the player, kept up to date by the stream of notices. */
import { api, body, Offline, Refusal } from "../api/client";
import { notices } from "../api/notices.svelte";
import type { Notice, RematchOffer, Schemas } from "../api/types";

type RematchNotice = Schemas["RematchNotice"];

class Rematches {
  /** The offers that the player has not answered. */
  asking = $state.raw<readonly RematchOffer[]>([]);
  /** What was heard last. */
  heard = $state.raw<RematchNotice | null>(null);
  /** The same until it is dismissed. */
  fresh = $state.raw<RematchNotice | null>(null);

  /** Hear of offers to the player. Returns how to stop and forget them. */
  watch(): () => void {
    const deaf = notices.hear((notice) => void this.#heard(notice));
    return () => {
      deaf();
      this.asking = [];
      this.heard = this.fresh = null;
    };
  }

  async #heard(notice: Notice): Promise<void> {
    if (notice.type === "rematch") {
      this.heard = notice;
      this.fresh = notice.state === "withdrawn" ? null : notice;
    }
    if (notice.type === "rematch" || notice.type === "reset") await this.look();
  }

  async look(): Promise<void> {
    try {
      this.asking = await body(api.GET("/players/me/rematches"));
    } catch (error) {
      if (!(error instanceof Offline || error instanceof Refusal)) throw error;
    }
  }

  dismiss(): void {
    this.fresh = null;
  }
}

export const rematches = new Rematches();
