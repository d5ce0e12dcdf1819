/** The props of every sheet of a boat. */
import type { BoardProps } from "../contract";
import type { Command, CrewView, Sea, View } from "./sea";

type Passed = "records" | "send" | "explain" | "busy" | "live" | "animated" | "say" | "describe" | "legal";

export interface SheetProps extends Pick<BoardProps<View, Command>, Passed> {
  readonly view: View;
  /** The boat's number, and its sheets. */
  readonly crew: number;
  readonly boat: CrewView;
  readonly sea: Sea;
  /** Whether the viewer holds this post. */
  readonly own: boolean;
}

/** Create a command of a family that is listed by an example only. */
export function made(command: { type: string } & Record<string, unknown>): Command {
  return command as unknown as Command;
}
