/** Cards that are gathered from the hand to be thrown together, as too large a hand demands. */
import { thrownFor, type Command } from "./cards";

/** Return whether a command throws a card. */
export function isThrow({ type }: Command): boolean {
  return type === "jettison" || type === "discard_down";
}

export class Throws {
  /** Whether the player wants to gather. */
  wanted = $state(false);
  #bundle = $state.raw<readonly string[]>([]);

  constructor(
    private readonly legal: () => readonly Command[],
    private readonly hand: () => readonly string[],
    /** Whether it is the player's turn. */
    private readonly own: () => boolean,
  ) {}

  /** The cards that can be thrown now, each with its command. */
  readonly commands: ReadonlyMap<string, Command> = $derived.by(
    () =>
      new Map(
        this.legal()
          .filter((command) => isThrow(command) && this.hand().includes(String(command.card)))
          .map((command) => [String(command.card), command]),
      ),
  );
  /** Whether taps on the hand gather cards. */
  readonly gathering: boolean = $derived.by(
    () =>
      this.own() &&
      this.commands.size > 0 &&
      (this.wanted || this.legal().some(({ type }) => type === "discard_down")),
  );
  readonly gathered: readonly string[] = $derived.by(() =>
    this.#bundle.filter((card) => this.commands.has(card)),
  );

  /** The points for the gathered cards; null if the rules demand that they go, which brings none. */
  readonly points: number | null = $derived.by(() =>
    this.gathered.some((card) => this.commands.get(card)?.type === "discard_down")
      ? null
      : this.gathered.reduce((sum, card) => sum + thrownFor(card), 0),
  );

  /** Return whether a tap gathers a card or puts it back. */
  takes(card: string): boolean {
    return this.gathering && this.commands.has(card);
  }

  has(card: string): boolean {
    return this.gathering && this.gathered.includes(card);
  }

  toggle(card: string): void {
    this.#bundle = this.has(card) ? this.gathered.filter((one) => one !== card) : [...this.gathered, card];
  }

  cancel(): void {
    this.wanted = false;
    this.#bundle = [];
  }

  /** Throw the gathered cards one after another, up to the first refusal. */
  async play(send: (command: Command) => Promise<boolean>): Promise<void> {
    let left = this.gathered;
    const commands = left.map((card) => this.commands.get(card));
    this.#bundle = [];
    for (const command of commands) {
      if (!command || !(await send(command))) break;
      left = left.slice(1);
    }
    if (left.length > 0) this.#bundle = left;
    else this.wanted = false;
  }
}
