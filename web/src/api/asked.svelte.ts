/** A job of the service, asked for and followed to its end. */
import { api, body, type Offline, type Refusal, tellable } from "./client";
import { pause } from "./retry";
import type { Schemas } from "./types";

type Job = Schemas["Job"];

const ASK_AGAIN_MS = 500;

export class Asked {
  job = $state.raw<Job | null>(null);
  problem = $state.raw<Refusal | Offline | null>(null);
  readonly underWay = $derived(this.job?.state === "queued" || this.job?.state === "running");
  /** What came of it; null until it is finished. */
  readonly result = $derived(this.job?.state === "finished" ? this.job.result : null);
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
      this.problem = tellable(error);
      this.job = null;
    }
    return this.job?.state === "finished";
  }
}
