/** What a board is given and what it gives: the one contract between a match and a game's folder. */
import type { Component, Snippet } from "svelte";
import type { SeatView, Tagged, ToldRecord } from "../api/types";
import type { Values } from "../i18n/i18n.svelte";

export interface BoardProps<View = unknown, Command extends Tagged = Tagged> {
  /** The game's view, as the viewer may know it. */
  view: View;
  /** The viewer's seat; null for spectators. */
  you: number | null;
  /** The viewer's legal commands; empty when it is to look on only. */
  legal: readonly Command[];
  seats: readonly SeatView[];
  /** The options of the match. */
  options: Readonly<Record<string, unknown>>;
  /** The seats that the match waits for, as far as the viewer may know. */
  waiting: readonly number[];
  /** The latest records, oldest first. */
  records: readonly ToldRecord[];
  /** Send a command; resolves to whether it was accepted. A refusal is shown by the page. */
  send: (command: Command) => Promise<boolean>;
  /** Say why a command that is not in `legal` is refused: shown in words with its rule, and announced. */
  explain: (code: string, details?: Values) => void;
  /** A command is under way: take no other. */
  busy: boolean;
  /** Whether things may move. */
  animated: boolean;
  /** Whether the match runs and the board is the present: false in the inspector and after the end. */
  live: boolean;
  /** The game's words, by key; seat names by `name`. */
  say: (key: string, values?: Values) => string;
  name: (seat: number) => string;
  /** Name a command in words, as its button says it. */
  describe: (command: Command) => string;
  /** The viewer's standing orders, to be shown where the game asks; null where there are none to give. */
  orders: Snippet | null;
}

/**
 * How a game names what its commands and events are made of. The view is null before the start, and for a command that
 * was sent earlier.
 */
export interface Words {
  /** What has to be there before the board is shown: the game's components. */
  load?(): Promise<void>;
  /** Name one value of a field: a card, a cell. Undefined leaves it to the page: seats, numbers, yes and no, lists. */
  value?(field: string, value: unknown, say: BoardProps["say"], view: unknown): string | undefined;
  /** More values for the sentences of a command or an event, beside its own fields. */
  more?(thing: Tagged, say: BoardProps["say"], view: unknown, name: BoardProps["name"]): Values;
}

export interface Board {
  readonly Component: Component<BoardProps>;
  readonly words: Words;
}
