/**
 * A command that is put together from a card and its choices. Long families of commands are listed
 * by examples only. So lists may be filled freely with values and sizes that the examples have, and
 * the service judges the result.
 */
import type { Command } from "./cards";

const SINGLE = ["target", "seal", "card", "where", "take", "put"] as const;
const LISTS = ["victims", "cards", "positions", "pay"] as const;

export interface Slot {
  readonly field: string;
  readonly values: readonly unknown[];
  readonly least: number;
  readonly most: number;
  readonly list: boolean;
}

/** Return the field that holds the card in a type of command. */
export function fieldOf(type: string, card: string): string {
  if (type === "use_flapper") return "source";
  return type === "jettison_pair" && card.startsWith("seal_") ? "seal" : "card";
}

const listOf = (command: Command, field: string): readonly unknown[] => {
  const value = command[field];
  return Array.isArray(value) ? value : [];
};
const distinct = (values: readonly unknown[]): unknown[] => [...new Set(values)];

export class Plan {
  type = $state<string | null>(null);
  #pins = $state.raw<Readonly<Record<string, unknown>>>({});
  #ones = $state.raw<Readonly<Record<string, unknown>>>({});
  #lists = $state.raw<Readonly<Record<string, readonly unknown[]>>>({});

  constructor(
    private readonly legal: () => readonly Command[],
    /** The cards to pay with: any hand card, listed or not. */
    private readonly purse: () => readonly string[],
  ) {}

  /** Start a type of command, with its card if it has one. */
  begin(type: string, card: string | null): void {
    this.type = type;
    this.#pins = card === null ? {} : { [fieldOf(type, card)]: card };
    this.#ones = {};
    const first = this.#base[0];
    this.#lists = first && type === "claim" ? { pay: listOf(first, "pay") } : {};
  }

  cancel(): void {
    this.type = null;
    this.#pins = {};
    this.#ones = {};
    this.#lists = {};
  }

  /** The legal commands of this type with this card. */
  readonly #base: readonly Command[] = $derived.by(() =>
    this.legal().filter(
      (command) =>
        command.type === this.type &&
        Object.entries(this.#pins).every(([field, value]) => command[field] === value),
    ),
  );

  /** The choices to make, each with the values that fit the earlier choices. */
  readonly slots: readonly Slot[] = $derived.by(() => this.#work().slots);

  /** The slot that the next pick goes to. */
  readonly current: Slot | null = $derived.by(
    () =>
      this.slots.find((slot) =>
        slot.list ? this.picks(slot.field).length < slot.least : !this.#has(slot),
      ) ??
      this.slots.find((slot) => slot.list && this.picks(slot.field).length < slot.most) ??
      this.slots.at(-1) ??
      null,
  );

  /** The command, once everything is chosen. */
  readonly ready: Command | null = $derived.by(() => this.#work().command);

  get open(): boolean {
    return this.type !== null && this.#base.length > 0;
  }

  picks(field: string): readonly unknown[] {
    return this.#lists[field] ?? [];
  }

  /** Return whether a value is chosen. */
  chosen(value: unknown): boolean {
    return this.slots.some((slot) =>
      slot.list ? this.picks(slot.field).includes(value) : this.#ones[slot.field] === value,
    );
  }

  /** Return whether a value is chosen in a slot that takes one. */
  chosenIn(slot: Slot, value: unknown): boolean {
    return this.#ones[slot.field] === value;
  }

  /** Return the slot that a value belongs to, chosen or not; null if there is none. */
  slotFor(value: unknown): Slot | null {
    const taken = this.slots.find((slot) => slot.list && this.picks(slot.field).includes(value));
    if (taken) return taken;
    return this.current?.values.includes(value)
      ? this.current
      : (this.slots.find((slot) => slot.values.includes(value)) ?? null);
  }

  /** Choose a value, or take the choice back. In a full list the last value is replaced. */
  pick(slot: Slot, value: unknown): void {
    if (!slot.list) {
      this.#ones = { ...this.#ones, [slot.field]: value };
      return;
    }
    const before = this.picks(slot.field);
    const after = before.includes(value)
      ? before.filter((other) => other !== value)
      : before.length < slot.most
        ? [...before, value]
        : [...before.slice(0, -1), value];
    this.#lists = { ...this.#lists, [slot.field]: after };
  }

  #has(slot: Slot): boolean {
    return slot.values.includes(this.#ones[slot.field]);
  }

  #work(): { slots: Slot[]; command: Command | null } {
    const slots: Slot[] = [];
    let left = this.#base;
    let whole = left.length > 0;
    const one = (field: string): void => {
      const values = distinct(left.map((command) => command[field]).filter((value) => value !== undefined));
      if (values.length < 2) return;
      const slot = { field, values, least: 1, most: 1, list: false };
      slots.push(slot);
      if (this.#has(slot)) left = left.filter((command) => command[field] === this.#ones[field]);
      else whole = false;
    };
    for (const field of SINGLE) one(field);
    if (!whole) return { slots, command: null };
    const lists: Record<string, readonly unknown[]> = {};
    for (const field of LISTS) {
      const slot = this.#list(field, left);
      if (slot === null) continue;
      slots.push(slot);
      const picked = this.picks(field).filter((value) => slot.values.includes(value));
      lists[field] = picked;
      if (picked.length < slot.least || picked.length > slot.most) whole = false;
      const same = left.filter(
        (command) =>
          listOf(command, field).length === picked.length &&
          picked.every((value) => listOf(command, field).includes(value)),
      );
      if (same.length > 0) left = same;
    }
    if (!whole) return { slots, command: null };
    one("host");
    return { slots, command: whole && left[0] ? { ...left[0], ...lists } : null };
  }

  /** Return the slot of a list; null if there is nothing to choose. */
  #list(field: string, left: readonly Command[]): Slot | null {
    const sizes = left.map((command) => listOf(command, field).length);
    const listed = distinct(left.flatMap((command) => listOf(command, field)));
    if (field === "pay") {
      const values = this.type === "claim" ? this.purse() : [];
      return values.length > 0 ? { field, values, least: 0, most: values.length, list: true } : null;
    }
    const [least, most] = [Math.min(...sizes), Math.max(...sizes)];
    if (most === 0 || (least === most && listed.length === most && listed.length < 2)) return null;
    return { field, values: listed, least, most, list: true };
  }
}
