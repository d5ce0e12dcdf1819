/** A job that the service does for this page: requested, then followed until it ends. */
import { onDestroy } from "svelte";
import { api, body, type Offline, type Refusal, tellable } from "./client";
import { pause } from "./retry";
import type { Schemas } from "./types";

type Job = Schemas["Job"];

const ASK_AGAIN_MS = 500;

export class Asked {
  job = $state.raw<Job | null>(null);
  problem = $state.raw<Refusal | Offline | null>(null);
  #closed = false;

  /**
   * Create it while a component is set up: when that component is destroyed, the job is not
   * followed any more.
   */
  constructor() {
    onDestroy(() => (this.#closed = true));
  }

  // Getters, because a $derived never changes again once its component is destroyed: the loop would
  // not end.
  get underWay(): boolean {
    return this.job?.state === "queued" || this.job?.state === "running";
  }

  /** How much of the work is done, from 0 to 1; null as long as that is not known. */
  get share(): number | null {
    const progress = this.job?.progress;
    return progress ? progress.done / progress.total : null;
  }

  /** The job's result; null until it is finished. */
  get result(): Job["result"] | null {
    return this.job?.state === "finished" ? this.job.result : null;
  }

  get failed(): boolean {
    return this.job !== null && !this.underWay && this.job.state !== "finished";
  }

  /** Stop following the job: its result is of no use any more. */
  drop(): void {
    this.job = null;
  }

  /**
   * Request the job and poll until it ends. `underWay` is called after each poll until then.
   * Resolves to whether there is a result.
   */
  async ask(start: () => Promise<Job>, underWay?: () => Promise<void>): Promise<boolean> {
    this.problem = null;
    try {
      const { id } = (this.job = await start());
      const followed = (): boolean => this.job?.id === id && this.underWay && !this.#closed;
      while (followed()) {
        await pause(ASK_AGAIN_MS);
        if (!followed()) return false;
        const job = await body(api.GET("/jobs/{job}", { params: { path: { job: id } } }));
        if (!followed()) return false;
        this.job = job;
        if (followed()) await underWay?.();
      }
    } catch (error) {
      this.problem = tellable(error);
      this.job = null;
    }
    return this.job?.state === "finished";
  }
}
