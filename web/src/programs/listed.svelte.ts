/** A list of the player's that calls change: it is read at first, and again after each of them. */
import { notices } from "../api/notices.svelte";
import { told } from "./words";

export class Listed<T> {
  all = $state.raw<readonly T[]>([]);
  /** Why the last call or reading failed; null if it did not. */
  problem = $state<string | null>(null);
  readonly #read: () => Promise<readonly T[]>;

  /** Create it while a component is set up. */
  constructor(read: () => Promise<readonly T[]>) {
    this.#read = read;
    void this.change();
    $effect(() => notices.back(() => this.problem && this.change()));
  }

  /** Make a call, if one is given, and read the list again. */
  async change(call: () => Promise<unknown> = () => Promise.resolve()): Promise<void> {
    this.problem = null;
    try {
      await call();
      this.all = await this.#read();
    } catch (error) {
      this.problem = told(error);
    }
  }
}
