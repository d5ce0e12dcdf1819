/** Words about people: profiles, blocked players, and what becomes of one's own data. */
import { toldIn } from "../api/told";
import { wordsOf } from "../i18n/i18n.svelte";

export const PART = "people";
export const w = wordsOf(PART);
export const told = (error: unknown): string => toldIn(PART, error);
