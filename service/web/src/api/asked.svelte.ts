/** A job of the service, asked for and followed to its end. */
import { api, body, Offline, Refusal } from "./client";
import { pause } from "./retry";
import type { Schemas } from "./types";

type Job = Schemas["Job"];

const ASK_AGAIN_MS = 500;

export class Asked {
  job = $state.raw<Job | null>(null);
  problem = $state.raw<Refusal | Offline | null>(null);
  readonly underWay = $derived(this.job?.state === "queued" || this.job?.state === "running");
  readonly failed = $derived(this.job !== null && !this.underWay && this.job.state !== "finished");

  /** Ask, and look again until the job has ended; resolves to whether it has a result. */
  async ask(start: () => Promise<Job>): Promise<boolean> {
    this.problem = null;
    try {
      this.job = await start();
      while (this.underWay) {
        await pause(ASK_AGAIN_MS);
        this.job = await body(api.GET("/jobs/{job}", { params: { path: { job: this.job.id } } }));
      }
    } catch (error) {
      if (!(error instanceof Refusal || error instanceof Offline)) throw error;
      this.problem = error;
      this.job = null;
    }
    return this.job?.state === "finished";
  }
}
