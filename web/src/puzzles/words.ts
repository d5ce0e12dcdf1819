/** The words of the pages with puzzles: a separate catalogue, loaded with them. */
import { wordsOf } from "../i18n/i18n.svelte";

export const PART = "puzzles";
export const w = wordsOf(PART);

/** Return the number of a puzzle among those of its game. */
export function numberOf(id: string): string {
  return id.slice(id.lastIndexOf("-") + 1);
}
