/** Words of this page, and of refusals on it. */
import { Offline, Refusal } from "../api/client";
import { known, t, wordsOf } from "../i18n/i18n.svelte";

export const PART = "programs";
export const w = wordsOf(PART);

/** Return what a refusal says. Any other error is a bug of the page and is thrown again. */
export function told(error: unknown): string {
  if (error instanceof Offline) return t("problems.offline");
  if (!(error instanceof Refusal)) throw error;
  const key = `refusals.${error.code}`;
  return known(PART, key) ? w(key) : t("problems.later");
}
