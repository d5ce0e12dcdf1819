/** A showing: one leads through the match, the others follow, and each may look around alone. */
import { followShowing } from "@shiplog/client";
import { api, body, live, Refusal, tellable } from "../api/client";
import { session } from "../api/session.svelte";
import type { Schemas } from "../api/types";
import { codes } from "../match/codes";
import type { Review } from "./review.svelte";

export type Showing = Schemas["Showing"];
type Shown = Schemas["ShownMoment"];

/** Time between two moments that a leader shows (milliseconds). */
const SHOW_EVERY_MS = 150;

export class Together {
  /** What is shown, and who is present; null outside of a showing. */
  showing = $state.raw<Showing | null>(null);
  /** Whether the page goes where the leader goes. */
  following = $state(true);
  /** Code of the refusal for which there is no showing. */
  refused = $state<string | null>(null);
  #open: AbortController | null = null;
  #due: Shown | null = null;
  #sending = false;
  #moving = false;

  constructor(private readonly review: Review) {
    review.onwish = () => (this.following = this.leads);
  }

  get leads(): boolean {
    return this.showing !== null && this.showing.leader === session.player?.player;
  }

  /** Whether nobody shows anything at this time. */
  get leaderless(): boolean {
    return this.showing !== null && !this.showing.people.includes(this.showing.leader);
  }

  /** Open a showing of the moment on the board. */
  async open(): Promise<void> {
    const params = { path: { match: this.review.match.match }, query: this.#query };
    await this.#attempt(async () => {
      const made = await body(api.POST("/matches/{match}/showings", { params, body: this.review.shown }));
      this.join(made.showing);
    });
  }

  /** Follow a showing until it ends. */
  join(code: string): void {
    this.leave();
    this.refused = null;
    this.following = true;
    const open = (this.#open = new AbortController());
    void this.#attempt(() => this.#hear(code, open.signal), open.signal);
  }

  leave(): void {
    this.#open?.abort();
    this.#open = null;
    this.showing = null;
  }

  /** Go where the leader is, and on with the leader. */
  follow(): void {
    this.following = true;
    void this.#move();
  }

  /** Show the others the moment on the board, or the latest one if there are many. */
  lead(shown: Shown): void {
    this.#due = shown;
    void this.#send();
  }

  /** Let somebody who is present lead. */
  async handTo(player: string): Promise<void> {
    await this.#attempt(async () => {
      await body(api.PUT("/showings/{showing}/leader", { params: this.#params, body: { player } }));
    });
  }

  async end(): Promise<void> {
    await this.#attempt(async () => {
      await body(api.DELETE("/showings/{showing}", { params: this.#params }));
      this.leave();
    });
  }

  get #query(): { join_code?: string } {
    const code = codes.of(this.review.match.match);
    return code ? { join_code: code } : {};
  }

  get #params(): { path: { showing: string }; query: { join_code?: string } } {
    return { path: { showing: this.showing?.showing ?? "" }, query: this.#query };
  }

  async #hear(code: string, signal: AbortSignal): Promise<void> {
    const joinCode = codes.of(this.review.match.match) ?? null;
    for await (const showing of followShowing(live, code, { signal, joinCode })) {
      this.showing = showing;
      void this.#move();
    }
  }

  /** Follow the leader. While a moment is on its way, only the latest counts. */
  async #move(): Promise<void> {
    if (this.#moving) return;
    this.#moving = true;
    let there: Showing["moment"] | null = null;
    try {
      while (this.following && !this.leads && this.showing !== null && this.showing.moment !== there) {
        there = this.showing.moment;
        await this.review.show(there);
      }
    } finally {
      this.#moving = false;
    }
  }

  async #send(): Promise<void> {
    if (this.#sending) return;
    this.#sending = true;
    while (this.#due !== null && this.leads) {
      const shown = this.#due;
      this.#due = null;
      await this.#attempt(async () => {
        await body(api.PUT("/showings/{showing}/moment", { params: this.#params, body: shown }));
      });
      await new Promise((done) => setTimeout(done, SHOW_EVERY_MS));
    }
    this.#sending = false;
  }

  async #attempt(what: () => Promise<void>, signal?: AbortSignal): Promise<void> {
    try {
      await what();
    } catch (error) {
      if (signal?.aborted) return;
      const why = tellable(error);
      if (!(why instanceof Refusal)) return;
      this.refused = why.code;
      if (why.status === 404 || why.status === 409) this.leave();
    }
  }
}
