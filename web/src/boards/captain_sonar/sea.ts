/** Sea, sheets and their names. */
import type { Schemas } from "../../api/types";
import { componentsOf } from "../components";

export type View = Schemas["CaptainSonarView"];
export type CrewView = View["crews"][number];
export type Command = Schemas["CaptainSonarCommand"] & Record<string, unknown>;
export type Role = View["roles"][number][number];
export type Cell = readonly [column: number, row: number];
export type Way = "n" | "e" | "s" | "w";
export type Group = "weapon" | "detection" | "special" | "radiation";

export interface Symbol {
  readonly id: string;
  readonly group: Group;
  readonly circuit?: "yellow" | "orange" | "gray";
}

export interface Section {
  readonly id: number;
  readonly name: string;
  readonly width: number;
  readonly height: number;
}

interface Side {
  readonly islands: readonly Cell[];
  readonly ice_holes?: readonly Cell[];
  readonly archer_mines?: readonly Cell[];
}

/** The part of the game's components that is used here. */
export interface Box {
  readonly gauges: readonly { readonly id: string; readonly spaces: number; readonly group: Group }[];
  readonly panels: Readonly<Record<Way, readonly Symbol[]>>;
  readonly sections: readonly Section[];
  readonly maps: Readonly<Record<string, { scenario_spaces: number; light: Side; dark: Side }>>;
}

export interface Sea {
  readonly size: number;
  readonly islands: ReadonlySet<string>;
  readonly ice: ReadonlySet<string>;
}

export const ROLES: readonly Role[] = ["captain", "first_mate", "engineer", "radio_operator"];
export const WAYS: readonly Way[] = ["n", "w", "e", "s"];
export const STEPS: Readonly<Record<Way, Cell>> = { n: [0, -1], e: [1, 0], s: [0, 1], w: [-1, 0] };
export const CIRCUITS = ["yellow", "orange", "gray"] as const;
export const DAMAGE_MAX = 4;
const SECTOR_SIDE = 5;

export const box = (): Box => componentsOf<Box>("captain_sonar");

/** Return the sea that a match is played on. */
export function seaOf(view: View): Sea {
  const map = box().maps[view.map];
  const side = view.side === "light" ? map?.light : map?.dark;
  return {
    size: view.size,
    islands: new Set(side?.islands.map(cellName)),
    ice: new Set(side?.ice_holes?.map(cellName)),
  };
}

/** Return the spaces of the gauges in use on a map, in the order of the sheet. */
export function gaugesOf(map: string): { id: string; spaces: number; group: Group }[] {
  return box()
    .gauges.map((gauge) =>
      gauge.id === "scenario" ? { ...gauge, spaces: box().maps[map]?.scenario_spaces ?? 0 } : { ...gauge },
    )
    .filter((gauge) => gauge.spaces > 0);
}

/** Return the symbols of the engineer's board, by id. */
export function symbols(): readonly Symbol[] {
  return WAYS.flatMap((way) => box().panels[way]);
}

/** Return whether a symbol of a group is crossed. */
export function isBroken(boat: CrewView, group: Group): boolean {
  return symbols().some((symbol) => symbol.group === group && boat.crossed?.includes(symbol.id));
}

/** Name a cell as on a chart: column letter, row number from the north. */
export function cellName([column, row]: Cell): string {
  return `${columnName(column)}${row + 1}`;
}

export function columnName(column: number): string {
  return String.fromCharCode(65 + column);
}

/** Return the sector of a cell, counted row by row from 1. */
export function sectorOf([column, row]: Cell, size: number): number {
  return Math.floor(row / SECTOR_SIDE) * (size / SECTOR_SIDE) + Math.floor(column / SECTOR_SIDE) + 1;
}

/** Return the number of sectors of a map. */
export function sectorsOf(size: number): number {
  return (size / SECTOR_SIDE) ** 2;
}

export function onMap([column, row]: Cell, size: number): boolean {
  return column >= 0 && row >= 0 && column < size && row < size;
}

export function stepped(cell: Cell, way: Way, count = 1): Cell {
  return [cell[0] + STEPS[way][0] * count, cell[1] + STEPS[way][1] * count];
}

/** Return the direction from a cell to the one beside it; null for any other. */
export function wayTo(from: Cell, to: Cell): Way | null {
  return WAYS.find((way) => cellName(stepped(from, way)) === cellName(to)) ?? null;
}

/** A piece of the heard track: consecutive cells. A silent run starts a new piece. */
export type Track = readonly (readonly Cell[])[];

/**
 * Draw the heard courses from a cell. Nobody heard where a silent run went, so the next piece
 * starts where it began.
 */
export function trackFrom(origin: Cell, heard: readonly string[]): Track {
  const track: Cell[][] = [[origin]];
  let at = origin;
  for (const token of heard) {
    if (token in STEPS) {
      at = stepped(at, token as Way);
      track.at(-1)?.push(at);
    } else if (token === "silence" || token.startsWith("surface:")) {
      track.push([at]);
    }
  }
  return track;
}
