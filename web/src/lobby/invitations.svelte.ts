/** Invitations to the player, kept up to date by notices. */
import { api, body, tellable } from "../api/client";
import { notices } from "../api/notices.svelte";
import { freshKey, persist } from "../api/retry";
import type { GameSummary, Invitation, Notice } from "../api/types";
import { plain, titleOf } from "../i18n/i18n.svelte";

class Invitations {
  received = $state.raw<readonly Invitation[]>([]);
  /** The invitation that has just arrived, until it is dismissed. */
  fresh = $state.raw<Invitation | null>(null);

  #games = $state.raw<ReadonlyMap<string, GameSummary>>(new Map());
  #asked: Promise<unknown> | null = null;

  /** Return the title of a game; the games are looked up with the first title. */
  titleOf(slug: string): string {
    this.#asked ??= api
      .GET("/games")
      .then(({ data }) => (this.#games = new Map(data?.map((game) => [game.slug, game]))))
      .catch(() => (this.#asked = null));
    const game = this.#games.get(slug);
    return game ? titleOf(game) : plain(slug);
  }

  /** Hear of the player's invitations. Returns how to stop and forget them. */
  watch(): () => void {
    const stop = notices.hear((notice) => void this.#heard(notice));
    return () => {
      stop();
      this.received = [];
      this.fresh = null;
    };
  }

  /** Take the seat; throws the refusal. */
  async accept(one: Invitation): Promise<void> {
    const key = freshKey();
    await persist(() =>
      body(
        api.POST("/invitations/{invitation}/accept", {
          params: { path: { invitation: one.id }, header: { "Idempotency-Key": key } },
          body: { entropy: freshKey() },
        }),
      ),
    );
    this.#remove(one.id);
  }

  /** Decline; throws the refusal. */
  async decline(one: Invitation): Promise<void> {
    await body(api.POST("/invitations/{invitation}/decline", { params: { path: { invitation: one.id } } }));
    this.#remove(one.id);
  }

  dismiss(): void {
    this.fresh = null;
  }

  async #heard(notice: Notice): Promise<void> {
    if (notice.type === "invitation_closed") this.#remove(notice.invitation);
    if (notice.type !== "invitation" && notice.type !== "reset") return;
    try {
      this.received = (await body(api.GET("/players/me/invitations"))).received;
    } catch (error) {
      tellable(error);
      return;
    }
    if (notice.type !== "invitation") return;
    this.fresh = this.received.find((one) => one.id === notice.invitation) ?? null;
  }

  #remove(id: string): void {
    this.received = this.received.filter((one) => one.id !== id);
    if (this.fresh?.id === id) this.fresh = null;
  }
}

export const invitations = new Invitations();
