/** The words of the replay: a separate catalogue, loaded with it. */
import { wordsOf } from "../i18n/i18n.svelte";

export const PART = "replay";
export const w = wordsOf(PART);
