/**
 * A command that is put together by gestures. Each pick narrows the legal commands; those that are
 * left decide what can be picked next. Boards show `offered` and know no rules.
 */
import type { Tagged } from "../api/types";
import { keyOf, same } from "./values";

/** What was picked: one value of a field, or members of a list. */
interface Picks {
  readonly values: Readonly<Record<string, unknown>>;
  readonly members: Readonly<Record<string, readonly unknown[]>>;
}

const NOTHING: Picks = { values: {}, members: {} };

export class Draft<Command extends Tagged> {
  #type = $state<string | null>(null);
  #made = $state.raw<Picks>(NOTHING);
  /** The legal commands among which the picks were made. */
  #among = $state.raw<readonly Command[]>([]);

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

  readonly #narrowed: { readonly left: readonly Command[]; readonly fits: Picks } = $derived.by(() => {
    let left = this.legal().filter((command) => command.type === this.type);
    const fits = (agrees: (command: Command) => boolean): boolean => {
      const narrower = left.filter(agrees);
      if (narrower.length > 0) left = narrower;
      return narrower.length > 0;
    };
    const values = Object.entries(this.#made.values).filter(([field, value]) =>
      fits((command) => same(command[field], value)),
    );
    const members = Object.entries(this.#made.members).filter(([field, members]) =>
      fits((command) => includesAll(command[field], members)),
    );
    return { left, fits: { values: Object.fromEntries(values), members: Object.fromEntries(members) } };
  });

  /** The legal commands that agree with all picks. Picks that fit no command are ignored. */
  readonly fitting: readonly Command[] = $derived(this.#narrowed.left);

  /** The picks. Once other commands are legal, those that fit none are gone. */
  readonly #picks: Picks = $derived.by(() =>
    this.legal() === this.#among ? this.#made : this.#narrowed.fits,
  );

  /** The command, once exactly one is left. */
  readonly ready: Command | null = $derived.by(() => {
    const [first, second] = this.fitting;
    return first !== undefined && second === undefined ? first : null;
  });

  /** Whether anything is picked. */
  get begun(): boolean {
    return (
      Object.keys(this.#picks.values).length > 0 ||
      Object.values(this.#picks.members).some((members) => members.length > 0)
    );
  }

  /** Choose a family and clear all picks. */
  choose(type: string): void {
    this.#type = type;
    this.clear();
  }

  clear(): void {
    this.#made = NOTHING;
  }

  /**
   * Send a command and clear the picks. If it is refused, restore them unless there are new ones.
   */
  async play(command: Command, send: (command: Command) => Promise<boolean>): Promise<boolean> {
    const picks = this.#picks;
    this.clear();
    const accepted = await send(command);
    if (!accepted && !this.begun) this.#made = picks;
    return accepted;
  }

  /** Pick a field's value, or unpick it. The picks of the fields in `drops` are removed. */
  pick(field: string, value: unknown, drops: readonly string[] = []): void {
    const again = this.has(field, value);
    const { values, members } = this.#picks;
    this.#keep({
      values: Object.fromEntries(
        Object.entries({ ...values, [field]: value }).filter(
          ([name]) => !drops.includes(name) && !(again && name === field),
        ),
      ),
      members: Object.fromEntries(Object.entries(members).filter(([name]) => !drops.includes(name))),
    });
  }

  /** Add a member to a list, or remove it. */
  toggle(field: string, member: unknown): void {
    const { values, members } = this.#picks;
    const before = members[field] ?? [];
    const next = before.includes(member) ? before.filter((other) => other !== member) : [...before, member];
    this.#keep({ values, members: { ...members, [field]: next } });
  }

  /** Return whether a value is picked. */
  has(field: string, value: unknown): boolean {
    return this.lists.includes(field)
      ? this.members(field).includes(value)
      : field in this.#picks.values && same(this.picked(field), value);
  }

  picked(field: string): unknown {
    return this.#picks.values[field];
  }

  members(field: string): readonly unknown[] {
    return this.#picks.members[field] ?? [];
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

  #keep(picks: Picks): void {
    this.#made = picks;
    this.#among = this.legal();
  }

  /** Return the commands that agree with all picks except those of one field. */
  #without(field: string): readonly Command[] {
    return this.legal().filter(
      (command) =>
        command.type === this.type &&
        Object.entries(this.#picks.values).every(
          ([name, value]) => name === field || same(command[name], value),
        ) &&
        Object.entries(this.#picks.members).every(
          ([name, members]) => name === field || includesAll(command[name], members),
        ),
    );
  }
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function includesAll(value: unknown, members: readonly unknown[]): boolean {
  return members.every((member) => listOf(value).includes(member));
}
