/** Records in words: who sent what, when, and how long it took. */
import type { Moment, Tagged } from "../api/types";
import { hasTexts, known, locale, plain, t } from "../i18n/i18n.svelte";
import { commandName, recordLines, type Speaker } from "../match/wording";
import { settings } from "../settings/settings.svelte";
import { w } from "./words";

const SECOND_US = 1_000_000;
const MINUTE_S = 60;
const HOUR_S = 3_600;

/**
 * Name a command that was sent: a game's in its words, a match's by its type. The words get no
 * view, because pieces may have moved since.
 */
export function moveName(speaker: Speaker, command: Tagged): string {
  const own = ["commands", "families"].some((kind) => known(speaker.slug, `${kind}.${command.type}`));
  if (own) return commandName({ ...speaker, view: null }, command);
  if (known("client", `asks.${command.type}`)) return t(`asks.${command.type}`);
  const wordless = !hasTexts(speaker.slug, "commands") && !hasTexts(speaker.slug, "families");
  return wordless ? commandName({ ...speaker, view: null }, command) : plain(command.type);
}

/** Name the sender of a record. */
export function sender(speaker: Speaker, moment: Moment): string {
  const { by } = moment;
  if (!by) return w("by.hidden");
  if (by.seat !== undefined && by.seat !== null) {
    return by.clock ? w("by.standIn", { who: speaker.name(by.seat) }) : speaker.name(by.seat);
  }
  if (by.clock) return w("by.clock");
  // Only the event names the seat of a player who had none before.
  const taken = (moment.events as Tagged[]).find(({ type }) => type === "seat_taken");
  if (taken) return speaker.name(taken.seat as number);
  return by.operator ? w("by.operator") : w("by.player");
}

/** Describe a record in one line. */
export function summary(speaker: Speaker, moment: Moment): string {
  const lines = recordLines(speaker, moment);
  if (lines.length > 0) return lines.join(" ");
  const command = moment.command as Tagged | null;
  if (command) return moveName(speaker, command);
  return (moment.events as Tagged[]).map((event) => plain(event.type)).join(", ");
}

/** Write a moment in the reader's time zone. */
export function moment(at: string): string {
  return new Intl.DateTimeFormat(locale(), {
    dateStyle: "medium",
    timeStyle: "medium",
  }).format(new Date(at));
}

/** Write how long something took, from microseconds. */
export function span(micros: number): string {
  const seconds = micros / SECOND_US;
  const format = (value: number, unit: string, digits = 0): string =>
    new Intl.NumberFormat(settings.chosen.language, {
      style: "unit",
      unit,
      unitDisplay: "narrow",
      maximumFractionDigits: digits,
    }).format(value);
  if (seconds < MINUTE_S) return format(seconds, "second", 1);
  const hours = Math.floor(seconds / HOUR_S);
  const minutes = format(Math.floor((seconds % HOUR_S) / MINUTE_S), "minute");
  if (hours > 0) return `${format(hours, "hour")} ${minutes}`;
  return `${minutes} ${format(Math.floor(seconds % MINUTE_S), "second")}`;
}
