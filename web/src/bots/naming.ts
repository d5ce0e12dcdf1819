/** What bots are called: by the animal of their level, and how strong it is. */
import type { SeatView, ToldRecord } from "../api/types";
import { known, t } from "../i18n/i18n.svelte";

/** Return the name of a level's bot: "Crab". */
export const botName = (level: string): string => t(`bots.${level}`);

/** Return a bot in words, with its strength if the page has words for it: "Crab (bot, easy)". */
export const botWords = (level: string): string =>
  t(known("client", `levels.${level}`) ? "seats.bot" : "seats.program", {
    name: botName(level),
    level: t(`levels.${level}`),
  });

/** Return the level that is offered first: the middle one. */
export const usualLevel = (levels: readonly string[]): string => levels[Math.floor(levels.length / 2)] ?? "";

/** Return the seat of the bot that made a record, also if it stood in for a person; null if no bot did. */
export function movedByBot(record: ToldRecord, seats: readonly SeatView[]): number | null {
  const seat = record.by?.seat ?? null;
  if (seat === null || record.events.length === 0) return null;
  return record.by?.clock || seats[seat]?.bot ? seat : null;
}
