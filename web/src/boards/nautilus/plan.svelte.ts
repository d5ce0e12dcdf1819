/**
 * A command that is put together by picks and places on the chart, from the legal commands. A
 * picked place may stand for several commands, such as the quarter turns of a module.
 */
import { Draft } from "../draft.svelte";
import { same, type Cell, type Command, type View } from "./box";
import { targetsOf, type Ghost, type Target } from "./targets";

/** Commands that end a step or skip something: each has its own button. */
const ENDS = new Set(["skip_buy", "end_build", "end_research", "end_launch", "end_dive", "skip_bonus"]);
/** Commands of a submarine besides sailing. */
const DEEDS = new Set(["use_sonar", "dock_submarine"]);
/** The field that names the piece that a command moves. */
const PIECES: Readonly<Record<string, string>> = {
  move_researcher: "researcher",
  bonus_move_researcher: "researcher",
  move_submarine: "submarine",
  boost_submarine: "submarine",
};

export class Plan {
  /** The finds chosen to be looked at. */
  looks = $state.raw<readonly Cell[]>([]);
  /**
   * The place that is aimed at, and how often the module there is turned. It is no field of a
   * command, so it is not in the draft, which drops what fits no command once they are read again.
   */
  #aim = $state.raw<{ readonly cell: Cell; readonly turned: number } | null>(null);
  readonly #draft: Draft<Command>;

  constructor(
    private readonly legal: () => readonly Command[],
    private readonly view: () => View,
    private readonly own: () => boolean,
  ) {
    this.#draft = new Draft<Command>(() => this.main);
  }

  readonly ends: readonly Command[] = $derived.by(() =>
    this.legal().filter((command) => ENDS.has(command.type)),
  );
  readonly deeds: readonly Command[] = $derived.by(() =>
    this.legal().filter((command) => DEEDS.has(command.type)),
  );
  readonly main: readonly Command[] = $derived.by(() =>
    this.legal().filter((command) => !ENDS.has(command.type) && !DEEDS.has(command.type)),
  );

  get type(): string | null {
    return this.#draft.type;
  }

  readonly pieceField: string | undefined = $derived.by(() =>
    this.type === null ? undefined : PIECES[this.type],
  );
  /** The pieces that may move. */
  readonly pieces: readonly string[] = $derived.by(() => this.#values(this.pieceField));
  /** The piece that moves: the picked one, or the only one that can. */
  readonly piece: string | null = $derived.by(() => this.#one(this.pieceField, this.pieces));
  /** The modules that may be built. */
  readonly modules: readonly string[] = $derived.by(() =>
    this.type === "place_module" ? this.#values("module") : [],
  );
  /** The module that is built: the picked one, or the first. */
  readonly held: string | null = $derived.by(
    () => this.#one("module", this.modules) ?? this.modules[0] ?? null,
  );

  readonly targets: readonly Target[] = $derived.by(() => {
    if (!this.own()) return [];
    const field = this.pieceField;
    const candidates = this.main.filter((command) => {
      if (command.type === "place_module") return command.module === this.held;
      return field === undefined || command[field] === this.piece;
    });
    return targetsOf(candidates, this.view());
  });
  readonly goal: Target | null = $derived.by(() => {
    return this.targets.find((target) => same(target.cell, this.#aim?.cell)) ?? null;
  });
  readonly command: Command | null = $derived.by(() =>
    this.goal ? (this.goal.commands[(this.#aim?.turned ?? 0) % this.goal.commands.length] ?? null) : null,
  );
  /** The module as it would be built. */
  readonly ghost: Ghost | null = $derived.by(() => {
    const { command } = this;
    if (command?.type !== "place_module") return null;
    return {
      module: command.module,
      cell: command.cell,
      rotation: command.rotation,
    };
  });

  readonly peeks = $derived.by(() => this.main.filter((command) => command.type === "peek_finds"));
  readonly peekable: readonly Cell[] = $derived.by(() =>
    this.peeks
      .flatMap((command) => command.cells)
      .filter((cell, index, all) => all.findIndex((other) => same(other, cell)) === index),
  );

  readonly kinds: readonly string[] = $derived.by(() =>
    this.type === "buy_module" ? this.#values("kind") : [],
  );
  readonly kind: string | undefined = $derived.by(() => this.#draft.picked("kind") as string | undefined);
  readonly crews: readonly number[] = $derived.by(() =>
    this.type === "buy_module" && this.kind !== undefined
      ? (this.#draft.offered("researchers") as number[])
      : [],
  );
  readonly counts: readonly number[] = $derived.by(() =>
    this.type === "pay_mission" ? (this.#draft.offered("count") as number[]) : [],
  );

  /** The command, once everything is chosen. */
  readonly ready: Command | null = $derived.by(() => {
    if (this.peeks.length > 0) {
      return (
        this.peeks.find(
          (command) => command.cells.length === this.looks.length && this.#shows(command, this.looks),
        ) ?? null
      );
    }
    const placed =
      this.targets.length > 0 ||
      this.type === null ||
      this.pieceField !== undefined ||
      this.type === "place_module";
    return placed ? this.command : this.#draft.ready;
  });

  has(field: string, value: unknown): boolean {
    return this.#draft.has(field, value);
  }

  pick(field: "kind" | "researchers" | "count", value: unknown): void {
    this.#draft.pick(field, value, field === "kind" ? ["researchers"] : []);
  }

  pickPiece(one: string): void {
    if (this.pieceField === undefined) return;
    this.#aim = null;
    this.#draft.pick(this.pieceField, one);
  }

  hold(module: string): void {
    this.#aim = null;
    this.#draft.pick("module", module);
  }

  /** Choose a place. Choosing it again turns the module there, or unchooses the place. */
  aim(target: Target): void {
    if (!same(this.goal?.cell, target.cell)) this.#aim = { cell: target.cell, turned: 0 };
    else if (target.commands.length > 1) this.turn();
    else this.#aim = null;
  }

  turn(): void {
    if (this.#aim) this.#aim = { ...this.#aim, turned: this.#aim.turned + 1 };
  }

  /** Choose the next possible place, or the previous one. */
  step(by: number): void {
    const { targets, goal } = this;
    const index = targets.findIndex((target) => same(target.cell, goal?.cell));
    const next = targets.at(index < 0 ? (by > 0 ? 0 : -1) : (index + by + targets.length) % targets.length);
    if (next && !same(next.cell, goal?.cell)) this.aim(next);
  }

  /**
   * Choose a find to look at, or unchoose it. Returns false if there is no hidden find to look at.
   */
  look(cell: Cell): boolean {
    if (this.looks.some((one) => same(one, cell))) {
      this.looks = this.looks.filter((one) => !same(one, cell));
      return true;
    }
    if (!this.peekable.some((one) => same(one, cell))) return false;
    const both = [...this.looks, cell];
    this.looks = this.peeks.some((command) => this.#shows(command, both)) ? both : [cell];
    return true;
  }

  /** Send a command and clear the picks. If it is refused, restore them. */
  async play(command: Command, send: (command: Command) => Promise<boolean>): Promise<void> {
    const [looks, aim] = [this.looks, this.#aim];
    [this.looks, this.#aim] = [[], null];
    const accepted = await this.#draft.play(command, send);
    if (accepted) return;
    if (this.looks.length === 0) this.looks = looks;
    this.#aim ??= aim;
  }

  #shows(command: Extract<Command, { type: "peek_finds" }>, looks: readonly Cell[]): boolean {
    return looks.every((look) => command.cells.some((cell) => same(cell, look)));
  }

  #values(field: string | undefined): string[] {
    if (field === undefined) return [];
    return [...new Set(this.main.flatMap((command) => (field in command ? [command[field] as string] : [])))];
  }

  #one(field: string | undefined, offered: readonly string[]): string | null {
    const picked = field === undefined ? undefined : (this.#draft.picked(field) as string | undefined);
    if (picked !== undefined && offered.includes(picked)) return picked;
    return offered.length === 1 ? (offered[0] ?? null) : null;
  }
}
