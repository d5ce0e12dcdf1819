/** The inspector's words: a separate catalogue, loaded with the inspector. */
import { wordsOf } from "../i18n/i18n.svelte";

export const PART = "inspect";
export const w = wordsOf(PART);
