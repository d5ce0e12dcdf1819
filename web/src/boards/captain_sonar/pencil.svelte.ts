/** Private marks on the radio operator's map, kept in this browser for each match. */
import { SvelteMap } from "svelte/reactivity";

const ORDER: readonly (string | undefined)[] = [undefined, "maybe", "not"];

/** Return the next mark in the cycle none, maybe, not. */
export function nextMark(mark: string | undefined): string | undefined {
  return ORDER[(ORDER.indexOf(mark) + 1) % ORDER.length];
}

export class Pencil {
  readonly marks: SvelteMap<string, string>;
  readonly #key = `shiplog.pencil${location.pathname}`;

  constructor() {
    this.marks = new SvelteMap(this.#read());
  }

  set(cell: string, mark: string | undefined): void {
    if (mark) this.marks.set(cell, mark);
    else this.marks.delete(cell);
    this.#write();
  }

  clear(): void {
    this.marks.clear();
    this.#write();
  }

  #read(): [string, string][] {
    try {
      return JSON.parse(localStorage.getItem(this.#key) ?? "[]") as [string, string][];
    } catch {
      return [];
    }
  }

  #write(): void {
    try {
      localStorage.setItem(this.#key, JSON.stringify([...this.marks]));
    } catch {
      // Without storage the marks last as long as the page.
    }
  }
}
