/** Words of this page, and of refusals on it. */
import { toldIn } from "../api/told";
import { wordsOf } from "../i18n/i18n.svelte";

export const PART = "programs";
export const w = wordsOf(PART);
export const told = (error: unknown): string => toldIn(PART, error);
