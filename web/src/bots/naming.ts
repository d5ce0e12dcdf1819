/** What bots are called: by the animal of their level, and how strong it is. */
import { t } from "../i18n/i18n.svelte";

/** Return the name of a level's bot: "Crab". */
export const botName = (level: string): string => t(`bots.${level}`);

/** Return a bot in words, with its strength: "Crab (easy bot)". */
export const botWords = (level: string): string =>
  t("seats.bot", { name: botName(level), level: t(`levels.${level}`) });

/** Return the level that is offered first: the middle one. */
export const usualLevel = (levels: readonly string[]): string => levels[Math.floor(levels.length / 2)] ?? "";
