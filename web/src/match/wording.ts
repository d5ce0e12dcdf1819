/**
 * Commands and events in words: templates from the game's catalogue, filled with names of values.
 */
import { shownName } from "../api/names.svelte";
import type { SeatView, Tagged, ToldRecord } from "../api/types";
import type { Words } from "../boards/contract";
import { botName } from "../bots/naming";
import { blanks, hasTexts, listed, say, t, text, type Values } from "../i18n/i18n.svelte";

const SEATS = new Set([
  ...["seat", "target", "owner", "first_seat", "board_seat", "to_seat", "by", "asked"],
  ...["winner", "winners"],
]);

/** What is needed to name things: a game, its words, a view and the players' names. */
export interface Speaker {
  readonly slug: string;
  readonly words: Words;
  readonly view: unknown;
  /** The version at which each player left, by seat; absent where nobody can leave. */
  readonly departed?: ReadonlyMap<number, number>;
  name(seat: number): string;
}

/** Name the player at a seat; by the number of the seat if there is no name. */
export function seatName(chair: SeatView | undefined, seat: number): string {
  if (chair?.name) return shownName(chair.name);
  return chair?.bot ? `${botName(chair.bot)} ${seat + 1}` : t("seats.nameless", { number: seat + 1 });
}

/** Name one value of a field. */
export function valueName(speaker: Speaker, field: string, value: unknown): string {
  const own = speaker.words.value?.(
    field,
    value,
    (key, values) => say(speaker.slug, key, values),
    speaker.view,
  );
  if (own !== undefined) return own;
  if (typeof value === "number" && SEATS.has(field)) return value < 0 ? t("nobody") : speaker.name(value);
  if (typeof value === "boolean") return t(value ? "yes" : "no");
  if (value === null || value === undefined) return t("none");
  if (Array.isArray(value)) {
    return value.length === 0 ? t("none") : listed(value.map((part) => valueName(speaker, field, part)));
  }
  if (typeof value === "object") return JSON.stringify(value);
  const code = String(value);
  const named = text(speaker.slug, `values.${code}`);
  return named ?? (/^[a-z\d_]+$/.test(code) ? code.replaceAll("_", " ") : code);
}

/** Name a field of a command. */
export function fieldName(speaker: Speaker, field: string): string {
  return say(speaker.slug, `fields.${field}`);
}

/** Name a family of commands. */
export function familyName(speaker: Speaker, type: string): string {
  return say(speaker.slug, `families.${type}`);
}

/** Name a command. */
export function commandName(speaker: Speaker, command: Tagged): string {
  return (
    worded(speaker, "commands", command) ?? spelledOut(speaker, familyName(speaker, command.type), command)
  );
}

/**
 * Describe an event of a version; null if it needs no words. Events of a game without words for events
 * are spelled out.
 */
export function eventLine(speaker: Speaker, event: Tagged, version: number): string | null {
  if (event.type === "proposal_made")
    return t(`asks.${String(event.kind)}Proposed`, { who: speaker.name(event.seat as number) });
  // The moves of a player who has left are played at once, as if time had run out.
  const left = speaker.departed?.get(event.seat as number);
  if (event.type === "timed_out" && left !== undefined && left <= version)
    return t("seats.automatic", { who: speaker.name(event.seat as number) });
  if (event.type === "proposal_closed") return t(`asks.closed.${String(event.outcome)}`);
  const told = worded(speaker, "events", event);
  if (told !== null) return told || null;
  const name = (): string => say(speaker.slug, `events.${event.type}`);
  return hasTexts(speaker.slug, "events") ? null : `${spelledOut(speaker, name(), event)}.`;
}

/** Name a command or an event, and each of its fields. */
function spelledOut(speaker: Speaker, name: string, thing: Tagged): string {
  const parts = Object.entries(thing)
    .filter(([field]) => field !== "type")
    .map(([field, value]) => `${fieldName(speaker, field)}: ${valueName(speaker, field, value)}`);
  return [name, ...parts].join(", ");
}

/** Describe a record's events. */
export function recordLines(speaker: Speaker, record: Pick<ToldRecord, "v" | "events">): string[] {
  return record.events
    .map((event) => eventLine(speaker, event as Tagged, record.v))
    .filter((line) => line !== null);
}

/** Return the version at which each player left, by seat. */
export function departuresIn(records: readonly Pick<ToldRecord, "v" | "events">[]): Map<number, number> {
  return new Map(
    records.flatMap(({ v, events }) =>
      (events as readonly Tagged[])
        .filter(({ type }) => type === "seat_resigned")
        .map(({ seat }): [number, number] => [seat as number, v]),
    ),
  );
}

/** Return the text for a command or an event, filled in; null if there is none. */
function worded(speaker: Speaker, group: "commands" | "events", thing: Tagged): string | null {
  const sources = [speaker.slug, "client"].map((one) => blanks(one, group, thing.type));
  if (sources.every((names) => names === null)) return null;
  const named = new Set(sources.flatMap((names) => [...(names ?? [])]));
  return text(speaker.slug, `${group}.${thing.type}`, valuesOf(speaker, thing, named));
}

/** Return the values that choose a text's form or fill its blanks: to name all of them takes long. */
function valuesOf(speaker: Speaker, thing: Tagged, blank: ReadonlySet<string>): Values {
  const values: Values = {};
  for (const [field, value] of Object.entries(thing)) {
    const plainNumber = typeof value === "number" && !SEATS.has(field);
    if (!blank.has(field)) {
      if (plainNumber) values[field] = value;
      continue;
    }
    const named = speaker.words.value?.(
      field,
      value,
      (key, more) => say(speaker.slug, key, more),
      speaker.view,
    );
    values[field] = named ?? (plainNumber ? value : valueName(speaker, field, value));
  }
  return {
    ...values,
    ...speaker.words.more?.(thing, (key, more) => say(speaker.slug, key, more), speaker.view, speaker.name),
  };
}
