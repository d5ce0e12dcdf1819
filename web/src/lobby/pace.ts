/** The pace of a match in words. */
import type { Seek } from "../api/types";
import { t } from "../i18n/i18n.svelte";

export type Pace = Seek["clock"];

/** Return a clock in words. */
export function paceWords(clock: Pace): string {
  switch (clock?.type) {
    case "per_move":
      return t("seeks.paces.per_move", { seconds: clock.seconds });
    case "bank":
      return t("seeks.paces.bank", {
        minutes: Math.round(clock.seconds / 6) / 10,
        increment: clock.increment ?? 0,
      });
    default:
      return t(`seeks.paces.${clock?.type ?? "none"}`);
  }
}
