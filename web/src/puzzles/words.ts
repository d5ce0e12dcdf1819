/** The words of the pages with puzzles: a separate catalogue, loaded with them. */
import { wordsOf } from "../i18n/i18n.svelte";

export const PART = "puzzles";
export const w = wordsOf(PART);
