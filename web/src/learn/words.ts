/** The words of the learning page: a separate catalogue, loaded with it. */
import { wordsOf } from "../i18n/i18n.svelte";

export const PART = "learn";
export const w = wordsOf(PART);
