/** Invitations to the player, kept up to date by the stream of notices while the page is visible. */
import { followNotices } from "@shiplog/client";
import { devices } from "../account/devices.svelte";
import { api, body, live, Offline, Refusal } from "../api/client";
import { freshKey, persist } from "../api/retry";
import type { GameSummary, Invitation, Notice } from "../api/types";
import { plain, titleOf } from "../i18n/i18n.svelte";
import { turns } from "../match/turns.svelte";
import { rematches } from "./rematches.svelte";

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

  /** Follow the notices of a player by token. A hidden page gives its connection back. */
  watch(token: string | null): (() => void) | undefined {
    this.received = [];
    this.fresh = null;
    rematches.clear();
    if (token === null) return undefined;
    let after: string | null = null;
    let open: AbortController | null = null;
    const listen = async (signal: AbortSignal): Promise<void> => {
      for await (const { place, notice } of followNotices(live, { signal, after })) {
        after = place;
        void this.#heard(notice);
        void rematches.tell(notice);
      }
    };
    const follow = (): void => {
      if (document.hidden) {
        open?.abort();
        open = null;
      } else if (open === null) {
        open = new AbortController();
        const { signal } = open;
        listen(signal).catch((error: unknown) => {
          if (!signal.aborted) quiet(error);
        });
      }
    };
    follow();
    document.addEventListener("visibilitychange", follow);
    return () => {
      document.removeEventListener("visibilitychange", follow);
      open?.abort();
    };
  }

  /** Take the seat; throws the refusal. */
  async accept(one: Invitation): Promise<void> {
    const key = freshKey();
    await persist(
      () =>
        body(
          api.POST("/invitations/{invitation}/accept", {
            params: { path: { invitation: one.id }, header: { "Idempotency-Key": key } },
            body: { entropy: freshKey() },
          }),
        ),
      () => undefined,
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
    if (notice.type === "device") void devices.heard(notice);
    if (notice.type === "turn") turns.tell(notice.match, true);
    if (notice.type === "invitation_closed") this.#remove(notice.invitation);
    if (notice.type !== "invitation" && notice.type !== "reset") return;
    try {
      this.received = (await body(api.GET("/players/me/invitations"))).received;
    } catch (error) {
      quiet(error);
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

/** Ignore what passes by itself: the lobby shows what the next answer brings. */
function quiet(error: unknown): void {
  if (!(error instanceof Offline || error instanceof Refusal)) throw error;
}

export const invitations = new Invitations();
