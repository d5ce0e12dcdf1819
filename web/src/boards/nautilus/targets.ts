/** What can be picked on the chart. */
import { cellName, moduleAt, type Cell, type Command, type View } from "./box";

export interface Target {
  readonly cell: Cell;
  /** Whether the target is a whole module. */
  readonly wide: boolean;
  /** The commands with this target. */
  readonly commands: readonly Command[];
  covers(cell: Cell): boolean;
}

/** A module where it would be built. */
export interface Ghost {
  readonly module: string;
  readonly cell: Cell;
  readonly rotation: number;
}

/** Return the target of a command: a cell, or the centre of a module. */
function goal(command: Command, view: View): { cell: Cell; wide: boolean } | null {
  switch (command.type) {
    case "place_module":
    case "launch_submarine":
      return { cell: command.cell, wide: false };
    case "move_submarine":
    case "boost_submarine":
      return { cell: command.to, wide: false };
    case "move_researcher":
    case "bonus_move_researcher": {
      const module = view.modules.find(({ id }) => id === command.to);
      return module ? { cell: module.cell, wide: true } : null;
    }
    default:
      return null;
  }
}

/** Collect the targets of commands, in reading order of the chart. */
export function targetsOf(commands: readonly Command[], view: View): Target[] {
  const found = new Map<string, { cell: Cell; wide: boolean; commands: Command[] }>();
  for (const command of commands) {
    const place = goal(command, view);
    if (!place) continue;
    const key = cellName(place.cell);
    const target = found.get(key) ?? { ...place, commands: [] };
    target.commands.push(command);
    found.set(key, target);
  }
  return [...found.values()]
    .sort((a, b) => a.cell[1] - b.cell[1] || a.cell[0] - b.cell[0])
    .map((target) => ({
      ...target,
      covers: ([column, row]) =>
        target.wide
          ? moduleAt(view, [column, row])?.cell[0] === target.cell[0] &&
            moduleAt(view, [column, row])?.cell[1] === target.cell[1]
          : column === target.cell[0] && row === target.cell[1],
    }));
}
