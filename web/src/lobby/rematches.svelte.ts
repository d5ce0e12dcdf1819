/** Offers of a rematch to the player, kept up to date by the stream of notices. */
import { api, body, Offline, Refusal } from "../api/client";
import { notices } from "../api/notices.svelte";
import { freshKey } from "../api/retry";
import { toldIn } from "../api/told";
import type { Notice, RematchOffer, RematchView, Schemas } from "../api/types";

type RematchNotice = Schemas["RematchNotice"];

class Rematches {
  /** The offers that the player has not answered. */
  asking = $state.raw<readonly RematchOffer[]>([]);
  /** What was heard last. */
  heard = $state.raw<RematchNotice | null>(null);
  /** The same until it is dismissed. */
  fresh = $state.raw<RematchNotice | null>(null);
  /** Number of the latest request. Answers to earlier ones are dropped. */
  #asked = 0;

  /** Hear of offers to the player. Returns how to stop and forget them. */
  watch(): () => void {
    const stop = notices.hear((notice) => void this.#heard(notice));
    return () => {
      stop();
      this.asking = [];
      this.heard = this.fresh = null;
    };
  }

  async #heard(notice: Notice): Promise<void> {
    if (notice.type === "rematch") {
      this.heard = notice;
      this.fresh = notice.state === "withdrawn" ? null : notice;
    }
    if (notice.type !== "rematch" && notice.type !== "reset") return;
    const before = this.fresh;
    await this.look();
    // What was heard while the offers were asked for is newer than they are.
    if (notice.type !== "reset" || this.fresh !== before) return;
    const [open] = this.asking;
    // It may be gone with the service that kept it.
    if (before?.state === "offered" && this.asking.every(({ match }) => match !== before.match))
      this.fresh = null;
    if (this.fresh === null && open) {
      const { match, game, by } = open;
      this.fresh = { type: "rematch", match, game, by, state: "offered", rematch: null };
    }
  }

  async look(): Promise<void> {
    const asked = ++this.#asked;
    try {
      const found = await body(api.GET("/players/me/rematches"));
      if (asked === this.#asked) this.asking = found;
    } catch (error) {
      if (!(error instanceof Offline || error instanceof Refusal)) throw error;
    }
  }

  /** Offer a rematch of a match, or agree to one; throws the refusal. */
  async agree(match: string): Promise<RematchView> {
    const given = { params: { path: { match } }, body: { entropy: freshKey() } };
    const view = await body(api.POST("/matches/{match}/rematch", given));
    this.asking = this.asking.filter((one) => one.match !== match);
    return view;
  }

  /** Decline an offer, or withdraw one's own; throws the refusal. */
  async decline(match: string): Promise<void> {
    await body(api.DELETE("/matches/{match}/rematch", { params: { path: { match } } }));
    this.asking = this.asking.filter((one) => one.match !== match);
  }

  dismiss(): void {
    this.fresh = null;
  }
}

/** Return in words why a request was not accepted. */
export const whyNot = (error: unknown): string => toldIn("client", error, "rematch.refusals");

export const rematches = new Rematches();
