/** The series of a match, and the rematch that may follow it. */
import { api, body, Offline, Refusal } from "../api/client";
import { notices } from "../api/notices.svelte";
import type { RematchView } from "../api/types";
import { rematches, whyNot } from "../lobby/rematches.svelte";
import type { Table } from "./table.svelte";

/** How long to wait at least before asking about an offer again: the clock here may be fast. */
const ASK_AGAIN_MS = 10_000;

export class Rematch {
  view = $state.raw<RematchView | null>(null);
  /** Whether an offer that was seen here is gone. */
  lapsed = $state(false);
  busy = $state(false);
  /** Why the last request was refused, in words. */
  problem = $state<string | null>(null);

  /** Create it while a component is set up. It looks when there is a match, and when that ends. */
  constructor(
    readonly id: string,
    readonly table: Table,
  ) {
    let seen: string | null = null;
    $effect(() => {
      const status = table.match?.status ?? null;
      if (status !== null && status !== seen) void this.look();
      seen = status;
    });
    // An offer ends when its time is over, and with the service that kept it.
    $effect(() => notices.back(() => this.look()));
    // It may have come before there was a stream that told of it.
    $effect(() =>
      notices.hear(({ type }) => {
        if (type === "reset" && this.view) void this.look();
      }),
    );
    $effect(() => {
      const expires = this.view?.offer?.expires;
      if (expires === undefined) return;
      const timer = setTimeout(
        () => void this.look(),
        Math.max(ASK_AGAIN_MS, Date.parse(expires) - Date.now()),
      );
      return () => clearTimeout(timer);
    });
  }

  /** Look again; without an answer, what is known stays. */
  async look(): Promise<void> {
    try {
      const query = this.table.joinCode ? { join_code: this.table.joinCode } : {};
      const params = { path: { match: this.id }, query };
      const view = await body(api.GET("/matches/{match}/rematch", { params }));
      this.lapsed = view.offer === null && view.rematch === null && (this.lapsed || !!this.view?.offer);
      this.view = view;
    } catch (error) {
      if (!(error instanceof Offline || error instanceof Refusal)) throw error;
    }
  }

  /** Offer a rematch or agree to one. Resolves to the new match as soon as all agree. */
  async agree(): Promise<string | null> {
    await this.#attempt(async () => {
      this.view = await rematches.agree(this.id);
      this.lapsed = false;
    });
    return this.view?.rematch ?? null;
  }

  /** Decline the offer, or withdraw one's own. */
  async decline(): Promise<void> {
    await this.#attempt(() => rematches.decline(this.id));
    await this.look();
  }

  async #attempt(work: () => Promise<void>): Promise<void> {
    this.busy = true;
    this.problem = null;
    try {
      await work();
    } catch (error) {
      this.problem = whyNot(error);
    } finally {
      this.busy = false;
    }
  }
}
