/**
 * Why something on the player's own sheets is illegal now: the codes of the rules, in their order.
 */
import {
  cellName,
  isBroken,
  onMap,
  stepped,
  type Cell,
  type CrewView,
  type Group,
  type Sea,
  type View,
  type Way,
} from "./sea";

const TASKS = ["mark_gauge", "cross_symbol"];
const SYSTEMS: Readonly<Record<string, readonly [gauge: string | null, group: Group]>> = {
  launch_torpedo: ["torpedo", "weapon"],
  drop_mine: ["mine", "weapon"],
  trigger_mine: [null, "weapon"],
  trigger_archer_mine: ["scenario", "special"],
  launch_drone: ["drone", "detection"],
  ping_sonar: ["sonar", "detection"],
  run_silent: ["silence", "special"],
};
const PHASES: Readonly<Record<string, readonly string[]>> = {
  order_course: ["course"],
  surface: ["course"],
  end_turn: ["system"],
  mark_gauge: ["tasks", "silence"],
  cross_symbol: ["tasks", "silence"],
};

/** Return why a crew cannot send a kind of command at all; null if that depends on the target. */
export function whyNot(
  view: View,
  crew: number,
  type: string,
  spaces: Readonly<Record<string, number>>,
): string | null {
  const boat = view.crews[crew];
  if (!boat) return "not-your-role";
  if (view.phase === "over") return "game-over";
  return frameOf(view, crew, boat, type) ?? systemOf(boat, type, spaces);
}

function frameOf(view: View, crew: number, boat: CrewView, type: string): string | null {
  if (view.phase === "deploy") return "wrong-phase";
  if (view.mode === "turns") {
    const turn = view.sonar_asker === null ? view.active_crew : 1 - view.sonar_asker;
    if (crew !== turn) return "not-your-turn";
    return (PHASES[type] ?? ["system"]).includes(view.phase) ? null : "wrong-phase";
  }
  if (view.stop !== null && !(crew === view.stop.crew && TASKS.includes(type))) return "game-stopped";
  if (boat.station === "surfaced" || boat.station === "dive_ready") return "crew-surfaced";
  return boat.station === "tasks" && !TASKS.includes(type) ? "crew-busy" : null;
}

function systemOf(boat: CrewView, type: string, spaces: Readonly<Record<string, number>>): string | null {
  const system = SYSTEMS[type];
  if (!system) return null;
  const [gauge, group] = system;
  if (!boat.may_activate) return "must-move-first";
  if (gauge !== null && boat.gauges && boat.gauges[gauge] !== spaces[gauge]) return "system-not-ready";
  if (boat.crossed && isBroken(boat, group)) return "system-broken";
  return type === "trigger_mine" ? "mine-not-found" : null;
}

/** Return why a course is illegal; null if nothing on the sheet forbids it. */
export function whyNoCourse(boat: CrewView, sea: Sea, way: Way): string | null {
  if (!boat.position) return "wrong-phase";
  const cell = stepped(boat.position, way);
  const name = cellName(cell);
  if (!onMap(cell, sea.size)) return "course-off-map";
  if (sea.islands.has(name)) return "course-island";
  if (has(boat.route, name)) return "course-own-route";
  return has(boat.mines, name) ? "course-own-mine" : null;
}

/** Return why a cell cannot be the target of a kind of command. */
export function whyNotHere(boat: CrewView, sea: Sea, type: string, cell: Cell): string {
  const name = cellName(cell);
  const island = sea.islands.has(name);
  switch (type) {
    case "choose_start":
      return "cell-is-island";
    case "launch_torpedo":
      if (boat.position && name === cellName(boat.position)) return "target-is-own-cell";
      return island ? "target-is-island" : "target-out-of-range";
    case "drop_mine":
      return whyNoMine(boat, name, island, cell);
    case "trigger_mine":
      return "mine-not-found";
    case "trigger_archer_mine":
      return "archer-mine-not-found";
    case "run_silent":
      return "silence-blocked";
    default:
      return "course-one-cell";
  }
}

function whyNoMine(boat: CrewView, name: string, island: boolean, cell: Cell): string {
  const from = boat.position;
  const away = from ? Math.max(Math.abs(from[0] - cell[0]), Math.abs(from[1] - cell[1])) : 0;
  if (away !== 1) return "mine-not-adjacent";
  if (island) return "cell-is-island";
  return has(boat.route, name) ? "cell-on-route" : "cell-has-own-mine";
}

function has(cells: readonly Cell[] | null, name: string): boolean {
  return cells?.some((cell) => cellName(cell) === name) ?? false;
}
