/** Names and places of the components. */
import type { Schemas } from "../../api/types";

export type View = Schemas["SubmarineView"];
export type Command = Schemas["SubmarineCommand"] & Record<string, unknown>;
/** A way to lift a treasure. */
export type Lift = Extract<Command, { type: "salvage" | "salvage_with_joker" }>;
export type Cell = readonly [column: number, row: number];

export const COLUMNS = [1, 2, 3, 4, 5, 6] as const;
/** The surface, and the four rows below. */
export const ROWS = [1, 2, 3, 4, 5] as const;
/** Places of a ship before a voyage (harbour) and after it (off the board). */
export const HARBOUR = 0;
export const OFF = 7;

/** The motifs of a transport card, in the order of its slots. */
export const MOTIFS = [
  "amphora",
  "astrolabe",
  "bell",
  "chalice",
  "chest",
  "compass",
  "crown",
  "dagger",
  "helmet",
  "idol",
  "lantern",
  "mask",
] as const;

/** Name a column as on a chart. */
export function columnName(column: number): string {
  return "ABCDEF".charAt(column - 1);
}

/** Name a cell as on a chart: column letter, row number. */
export function cellName([column, row]: Cell): string {
  return `${columnName(column)}${row}`;
}

/** Split the name of a token, such as `crown_red`. */
export function partsOf(token: string): { motif: string; colour: string } {
  const [motif = "", colour = ""] = token.split("_");
  return { motif, colour };
}

/** Return the cell of a token; null if it is not in the sea. */
export function cellOf(view: View, token: string): Cell | null {
  for (const [column, cells] of view.cells.entries()) {
    const row = cells.findIndex((tokens) => tokens.includes(token));
    if (row >= 0) return [column + 1, row + 2];
  }
  return null;
}

export const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);
