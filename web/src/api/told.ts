/** Refusals in words. */
import { known, say, t } from "../i18n/i18n.svelte";
import { Offline, tellable } from "./client";

/**
 * Return what a refusal says in a group of the words of a part of the page. Throws other errors
 * again: they are bugs of the page.
 */
export function toldIn(part: string, error: unknown, group = "refusals"): string {
  const why = tellable(error);
  if (why instanceof Offline) return t("problems.unreached");
  const key = `${group}.${why.code}`;
  return known(part, key) ? say(part, key) : t("problems.later");
}
