/** How far the player has read the talk of a match. It is kept in the browser. */
import type { Message } from "../api/types";
import { blocks } from "../people/blocks.svelte";
import type { Table } from "./table.svelte";

export class Heard {
  /** Time of the last message that the player has seen. */
  #until = $state("");
  readonly #key: string;

  constructor(private readonly table: Table) {
    this.#key = `shiplog.heardUntil/${table.id}`;
    this.#until = localStorage.getItem(this.#key) ?? "";
  }

  /** Number of new messages of others whom the player hears. */
  readonly unread: number = $derived.by(() => {
    const { match, talk, id } = this.table;
    if (blocks.muted.has(id)) return 0;
    return talk.filter(
      ({ at, seat }) =>
        at > this.#until && seat !== match?.you && !blocks.blocked.has(match?.seats[seat]?.player ?? ""),
    ).length;
  });

  hear(last: Message): void {
    this.#until = last.at;
    localStorage.setItem(this.#key, last.at);
  }
}
