/** How long a crew's next course or trace must wait after its last one. */
import type { Tagged, ToldRecord } from "../../api/types";

const TICK_MS = 100;

export class Pace {
  /** Remaining time to wait (milliseconds). */
  left = $state(0);
  #due = 0;
  #seen = 0;
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(
    private readonly types: readonly string[],
    /** Records before this moment are timed by their own time, later ones by their arrival. */
    private readonly born = Date.now(),
  ) {}

  /** Restart the wait after the crew's last record. */
  follow(records: readonly ToldRecord[], crew: number, gapMs: number): void {
    const last = records.findLast((record) =>
      record.events.some((event) => this.#counts(event as Tagged, crew)),
    );
    if (!last || last.v === this.#seen) return;
    this.#seen = last.v;
    const at = Date.parse(last.at);
    const passed = at < this.born ? Math.max(0, Date.now() - at) : 0;
    this.#due = Date.now() + Math.max(0, gapMs - passed);
    this.#tick();
    clearInterval(this.#timer);
    if (this.left > 0) this.#timer = setInterval(() => this.#tick(), TICK_MS);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #counts(event: Tagged, crew: number): boolean {
    return this.types.includes(event.type) && event.crew === crew;
  }

  #tick(): void {
    this.left = Math.max(0, this.#due - Date.now());
    if (this.left === 0) clearInterval(this.#timer);
  }
}
