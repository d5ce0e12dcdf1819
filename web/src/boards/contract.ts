/** The contract between a match page and a game's board. */
import type { Component, Snippet } from "svelte";
import type { SeatView, Tagged, ToldRecord } from "../api/types";
import type { Values } from "../i18n/i18n.svelte";
import type { Mount } from "./plugin";

export interface BoardProps<View = unknown, Command extends Tagged = Tagged> {
  /** The game's view for this viewer. */
  view: View;
  /** The viewer's seat; null for spectators. */
  you: number | null;
  /** The viewer's legal commands; empty if the board is only shown. */
  legal: readonly Command[];
  seats: readonly SeatView[];
  /** The options of the match. */
  options: Readonly<Record<string, unknown>>;
  /** The seats to move, as far as the viewer may know. */
  waiting: readonly number[];
  /** The latest records, oldest first. */
  records: readonly ToldRecord[];
  /** Send a command; resolves to whether it was accepted. A refusal is shown by the page. */
  send: (command: Command) => Promise<boolean>;
  /** Show why a command that is not in `legal` is refused, by the code of its rule. */
  explain: (code: string, details?: Values) => void;
  /** Whether a command is under way. Another one waits for the answer. */
  busy: boolean;
  /** Whether a command is sent as soon as the last pick completes it, without the main button. */
  direct: boolean;
  /** Whether animations are on. */
  animated: boolean;
  /**
   * Whether the match runs and the board shows its present; false in the inspector and after the
   * end.
   */
  live: boolean;
  /** The game's words, by key; seat names by `name`. */
  say: (key: string, values?: Values) => string;
  name: (seat: number) => string;
  /** Name a command in words, as its button says it. */
  describe: (command: Command) => string;
  /** The panel of standing orders, for the board to place; null if the game offers none. */
  orders: Snippet | null;
  /** Show the board of another package; undefined for the boards of this page. */
  mount: Mount | undefined;
}

/** What a thing on the board is: its name, and what it does, costs or is worth now. */
export interface About {
  readonly title: string;
  readonly lines: readonly string[];
}

/** What an explanation may use. The view is what the board shows. */
export interface Explained {
  readonly say: BoardProps["say"];
  readonly name: BoardProps["name"];
  readonly view: unknown;
  readonly options: BoardProps["options"];
  readonly you: number | null;
}

/**
 * How a game names what its commands and events are made of. The view is null before the start, and
 * for a command that was sent earlier.
 */
export interface Words {
  /** Whether the players have a part of their own beside the board: a drawer of a phone. */
  readonly people?: boolean;
  /** Load what the board needs before it is shown: the game's components. */
  load?(): Promise<void>;
  /**
   * Name one value of a field: a card, a cell. Undefined for what the page names: seats, numbers,
   * yes and no, lists.
   */
  value?(field: string, value: unknown, say: BoardProps["say"], view: unknown): string | undefined;
  /** Name what a seat plays for besides itself: its crew. */
  team?(seat: number, say: BoardProps["say"], view: unknown): string | undefined;
  /**
   * Return the names of what an event concerns on the board, besides the names in its fields: values
   * of `data-cell`, `data-card`, `data-thing` and the like.
   */
  places?(event: Tagged): string[];
  /** Return values for the sentence of a command or an event, besides its own fields. */
  more?(thing: Tagged, say: BoardProps["say"], view: unknown, name: BoardProps["name"]): Values;
  /**
   * Explain what `data-about` names on the board: a kind, an id, and whatever else the board says
   * there. Null if there is nothing to explain.
   */
  about?(kind: string, id: string, more: readonly string[], explained: Explained): About | null;
}

export interface Board {
  readonly Component: Component<BoardProps>;
  readonly words: Words;
  readonly mount?: Mount;
}
