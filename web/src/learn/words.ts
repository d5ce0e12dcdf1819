/** The words of the learning page: a separate catalogue, loaded with it. */
import { say, type Values } from "../i18n/i18n.svelte";

export const PART = "learn";

export const w = (key: string, values: Values = {}): string => say(PART, key, values);
