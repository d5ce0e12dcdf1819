/** Words of the account, and of refusals in it. */
import { Offline, Refusal } from "../api/client";
import { known, say, t, type Values } from "../i18n/i18n.svelte";

export const PART = "account";

/** Return a text of the account. */
export function w(key: string, values: Values = {}): string {
  return say(PART, key, values);
}

/** Return what a refusal says. Any other error is a bug of the page and is thrown again. */
export function told(error: unknown): string {
  if (error instanceof Offline) return t("problems.offline");
  if (!(error instanceof Refusal)) throw error;
  const key = `refusals.${error.code}`;
  return known(PART, key) ? w(key) : t("problems.later");
}
