/** The props of every sheet of a boat. */
import type { Snippet } from "svelte";
import type { BoardProps } from "../contract";
import type { Command, CrewView, Sea, View } from "./sea";

type Passed = "records" | "direct" | "send" | "explain" | "live" | "animated" | "say" | "describe" | "legal";

export interface SheetProps extends Pick<BoardProps<View, Command>, Passed> {
  readonly view: View;
  /** The boat's number, and its sheets. */
  readonly crew: number;
  readonly boat: CrewView;
  readonly sea: Sea;
  /** Whether the viewer holds this post. */
  readonly own: boolean;
  /** Whether the map may be drawn: the first one comes after the dock, in a task of its own. */
  readonly drawn: boolean;
  /** What every dock begins with: what to do, and the posts. */
  readonly bar: Snippet;
  /** The sheet of repairs, which takes the place of the stage while the crew repairs the boat. */
  readonly repairs: Snippet | null;
}

/** Create a command of a family that is listed by an example only. */
export function made(command: { type: string } & Record<string, unknown>): Command {
  return command as unknown as Command;
}
