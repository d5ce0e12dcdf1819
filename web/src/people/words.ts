/** Words about people: profiles, blocked players, and what becomes of one's own data. */
import { Offline, type Refusal } from "../api/client";
import { known, say, t, type Values } from "../i18n/i18n.svelte";

export const PART = "people";

/** Return a text about people. */
export function w(key: string, values: Values = {}): string {
  return say(PART, key, values);
}

/** Return what a refusal says. */
export function told(error: Refusal | Offline): string {
  if (error instanceof Offline) return t("problems.offline");
  const key = `refusals.${error.code}`;
  return known(PART, key) ? w(key) : t("problems.later");
}
