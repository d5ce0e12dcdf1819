/** The receipts of a match in this browser, which are checked once the match is over. */
import type { Receipt } from "@shiplog/client";
import { kept, metKeys, watch } from "../api/receipts";
import type { Judgement } from "../inspect/receipts";

/** The judgement, with how far the receipts reach and since when this browser has had the keys. */
export interface Checked extends Judgement {
  readonly last: number;
  readonly met: string;
}

export class Receipts {
  /** The receipts as they came; null until they are read. */
  texts = $state.raw<readonly string[] | null>(null);
  checked = $state.raw<Checked | null>(null);
  running = $state(false);
  failed = $state(false);

  /** Whether receipts came that are not checked yet. */
  #stale = false;
  readonly #closing = new AbortController();

  constructor(readonly id: string) {
    watch(id, () => void this.#read(), this.#closing.signal);
    void this.#read();
  }

  close(): void {
    this.#closing.abort();
  }

  /** Compare the receipts with the log of a match that is over. Does not throw. */
  async check(): Promise<void> {
    this.#stale = true;
    if (this.running) return;
    this.running = true;
    while (this.#stale) {
      this.#stale = false;
      await this.#compare();
    }
    this.running = false;
  }

  async #compare(): Promise<void> {
    this.failed = false;
    try {
      const [{ judge }, { exportedLog }, { unpacked }] = await Promise.all([
        import("../inspect/receipts"),
        import("../inspect/source"),
        import("../inspect/packing"),
      ]);
      const receipts = (await kept(this.id)).map((text) => JSON.parse(text) as Receipt);
      if (receipts.length === 0) return;
      const [keys, log] = [await metKeys(), await unpacked(await exportedLog(this.id))];
      const named = new Set(receipts.map(({ key }) => key));
      const met = keys.filter(({ service }) => named.has(service)).map((key) => key.met);
      this.checked = {
        ...(await judge(this.id, receipts, keys, log)),
        last: Math.max(...receipts.map(({ version }) => version)),
        met: met.sort()[0] ?? "",
      };
    } catch (error) {
      console.info("The receipts were not checked.", error);
      this.failed = true;
    }
  }

  async #read(): Promise<void> {
    try {
      this.texts = await kept(this.id);
    } catch {
      this.texts = [];
    }
  }
}
