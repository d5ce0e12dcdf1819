/** Words of the account, and of refusals in it. */
import { toldIn } from "../api/told";
import { wordsOf } from "../i18n/i18n.svelte";

export const PART = "account";
export const w = wordsOf(PART);
export const told = (error: unknown): string => toldIn(PART, error);
