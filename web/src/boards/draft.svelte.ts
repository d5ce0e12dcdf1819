/**
 * A command that is put together by gestures. Each pick narrows the legal commands; those that are
 * left decide what can be picked next. Boards show `offered` and know no rules.
 */
import type { Tagged } from "../api/types";
import { keyOf, same } from "./values";

export class Draft<Command extends Tagged> {
  #type = $state<string | null>(null);
  #picks = $state.raw<Readonly<Record<string, unknown>>>({});
  #members = $state.raw<Readonly<Record<string, readonly unknown[]>>>({});

  /** `lists` are the fields that hold several things in any order, picked one by one. */
  constructor(
    private readonly legal: () => readonly Command[],
    private readonly lists: readonly string[] = [],
  ) {}

  /** The families that can be chosen. */
  readonly families: readonly string[] = $derived.by(() => [
    ...new Set(this.legal().map((command) => command.type)),
  ]);

  /** The family being put together: the chosen one while it is legal, else the first. */
  readonly type: string | null = $derived.by(() =>
    this.#type !== null && this.families.includes(this.#type) ? this.#type : (this.families[0] ?? null),
  );

  /** The legal commands that agree with all picks. Picks that fit no command are ignored. */
  readonly fitting: readonly Command[] = $derived.by(() => {
    let left = this.legal().filter((command) => command.type === this.type);
    for (const [field, value] of Object.entries(this.#picks)) {
      const narrower = left.filter((command) => same(command[field], value));
      if (narrower.length > 0) left = narrower;
    }
    for (const [field, members] of Object.entries(this.#members)) {
      const narrower = left.filter((command) =>
        members.every((member) => listOf(command[field]).includes(member)),
      );
      if (narrower.length > 0) left = narrower;
    }
    return left;
  });

  /** The command, once exactly one is left. */
  readonly ready: Command | null = $derived.by(() => {
    const [first, second] = this.fitting;
    return first !== undefined && second === undefined ? first : null;
  });

  /** Whether anything is picked. */
  get begun(): boolean {
    return (
      Object.keys(this.#picks).length > 0 ||
      Object.values(this.#members).some((members) => members.length > 0)
    );
  }

  /** Choose a family and clear all picks. */
  choose(type: string): void {
    this.#type = type;
    this.clear();
  }

  clear(): void {
    this.#picks = {};
    this.#members = {};
  }

  /**
   * Send a command and clear the picks. If it is refused, restore them unless there are new ones.
   */
  async play(command: Command, send: (command: Command) => Promise<boolean>): Promise<boolean> {
    const [picks, members] = [this.#picks, this.#members];
    this.clear();
    const accepted = await send(command);
    if (!accepted && !this.begun) {
      this.#picks = picks;
      this.#members = members;
    }
    return accepted;
  }

  /** Pick a field's value, or unpick it. The picks of the fields in `drops` are removed. */
  pick(field: string, value: unknown, drops: readonly string[] = []): void {
    const again = this.has(field, value);
    this.#picks = Object.fromEntries(
      Object.entries({ ...this.#picks, [field]: value }).filter(
        ([name]) => !drops.includes(name) && !(again && name === field),
      ),
    );
    this.#members = Object.fromEntries(
      Object.entries(this.#members).filter(([name]) => !drops.includes(name)),
    );
  }

  /** Add a member to a list, or remove it. */
  toggle(field: string, member: unknown): void {
    const members = this.#members[field] ?? [];
    const next = members.includes(member)
      ? members.filter((other) => other !== member)
      : [...members, member];
    this.#members = { ...this.#members, [field]: next };
  }

  /** Return whether a value is picked. */
  has(field: string, value: unknown): boolean {
    return this.lists.includes(field)
      ? (this.#members[field] ?? []).includes(value)
      : field in this.#picks && same(this.#picks[field], value);
  }

  picked(field: string): unknown {
    return this.#picks[field];
  }

  members(field: string): readonly unknown[] {
    return this.#members[field] ?? [];
  }

  /** Return the values that a field can take, given all other picks. */
  offered(field: string): readonly unknown[] {
    const found = new Map<unknown, unknown>();
    for (const command of this.#without(field)) {
      const values = this.lists.includes(field) ? listOf(command[field]) : [command[field]];
      for (const value of values) if (value !== undefined) found.set(keyOf(value), value);
    }
    return [...found.values()];
  }

  /** Return how many members a list takes; null while that depends on other picks. */
  size(field: string): number | null {
    const sizes = new Set(this.#without(field).map((command) => listOf(command[field]).length));
    const [size] = sizes;
    return sizes.size === 1 && size !== undefined ? size : null;
  }

  /** Return the commands that agree with all picks except those of one field. */
  #without(field: string): readonly Command[] {
    return this.legal().filter(
      (command) =>
        command.type === this.type &&
        Object.entries(this.#picks).every(([name, value]) => name === field || same(command[name], value)) &&
        Object.entries(this.#members).every(
          ([name, members]) =>
            name === field || members.every((member) => listOf(command[name]).includes(member)),
        ),
    );
  }
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
