/** What bots are called: by the animal of their level, and how strong it is. */
import type { SeatView, ToldRecord } from "../api/types";
import { known, t } from "../i18n/i18n.svelte";

/** Return the name of a level's bot: "Crab". */
export const botName = (level: string): string => t(`bots.${level}`);

/** Return how strong a level's bot is; null for a level of an outside game, which has only its name. */
export const botStrength = (level: string): string | null =>
  known("client", `levels.${level}`) ? t(`levels.${level}`) : null;

/** Return a bot in words, with its strength: "Crab (bot, easy)". */
export function botWords(level: string): string {
  const [name, strength] = [botName(level), botStrength(level)];
  return strength === null ? t("seats.program", { name }) : t("seats.bot", { name, level: strength });
}

/** Return the level that is offered first: the middle one. */
export const usualLevel = (levels: readonly string[]): string => levels[Math.floor(levels.length / 2)] ?? "";

/** Return the seat of the bot that made a record, also if it stood in for a person; null if no bot did. */
export function movedByBot(record: ToldRecord, seats: readonly SeatView[]): number | null {
  const seat = record.by?.seat ?? null;
  if (seat === null || record.events.length === 0) return null;
  return record.by?.clock || seats[seat]?.bot ? seat : null;
}
