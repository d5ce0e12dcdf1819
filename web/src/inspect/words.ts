/** The inspector's words: a separate catalogue, loaded with the inspector. */
import { say, type Values } from "../i18n/i18n.svelte";

export const PART = "inspect";

export const w = (key: string, values: Values = {}): string => say(PART, key, values);
