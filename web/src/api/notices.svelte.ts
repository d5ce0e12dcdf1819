/** The player's stream of notices, followed while the page is visible. */
import { followNotices } from "@shiplog/client";
import { live, Offline, Refusal } from "./client";
import type { Notice } from "./types";

type Hear = (notice: Notice) => void;

class Notices {
  /** Whether the stream is up: what its notices tell of need not be polled. */
  up = $state(false);

  readonly #hearers = new Set<Hear>();
  readonly #waiting = new Set<() => unknown>();

  /** Call a function with each notice. Returns how to stop. */
  hear(hear: Hear): () => void {
    this.#hearers.add(hear);
    return () => this.#hearers.delete(hear);
  }

  /** Call a function whenever the stream is up again after it was lost. Returns how to stop. */
  back(call: () => unknown): () => void {
    this.#waiting.add(call);
    return () => this.#waiting.delete(call);
  }

  /** Follow the stream of the player. A hidden page gives its connection back. */
  watch(): () => void {
    let after: string | null = null;
    let open: AbortController | null = null;
    let lost = false;
    const link = (up: boolean): void => {
      this.up = up;
      if (up && lost) for (const call of this.#waiting) call();
      lost = !up;
    };
    const listen = async (signal: AbortSignal): Promise<void> => {
      for await (const { place, notice } of followNotices(live, { signal, after, link })) {
        after = place;
        for (const hear of this.#hearers) hear(notice);
      }
    };
    const close = (): void => {
      open?.abort();
      open = null;
      this.up = false;
    };
    const follow = (): void => {
      if (document.hidden) close();
      else if (open === null) {
        open = new AbortController();
        const { signal } = open;
        listen(signal).catch((error: unknown) => {
          if (signal.aborted) return;
          this.up = false;
          if (!(error instanceof Offline || error instanceof Refusal)) throw error;
        });
      }
    };
    follow();
    document.addEventListener("visibilitychange", follow);
    return () => {
      document.removeEventListener("visibilitychange", follow);
      close();
    };
  }
}

export const notices = new Notices();
