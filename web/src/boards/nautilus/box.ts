/** Names, places and shapes of the components. What is printed on them comes from the service. */
import type { Schemas } from "../../api/types";
import { componentsOf } from "../components";

export type View = Schemas["NautilusView"];
export type Command = Schemas["NautilusCommand"] & Record<string, unknown>;
export type Cell = readonly [column: number, row: number];

export interface Box {
  readonly board: { readonly rows: readonly string[] };
  readonly zones: readonly { readonly id: string; readonly letter: string; readonly rank: number }[];
  readonly modules: {
    readonly base: readonly string[];
    readonly habitations: readonly { readonly kind: string; readonly exits: readonly string[] }[];
    readonly research: { readonly exits: readonly (readonly string[])[] };
  };
  readonly colours: readonly { readonly id: string; readonly ability: readonly number[] }[];
  readonly finds: readonly { readonly sort: string; readonly value?: number | null }[];
  readonly missions: readonly { readonly id: string; readonly creatures: readonly string[] }[];
}

/** Side of a cell in the drawing (user units). */
export const SIDE = 20;
export const COLOURS = ["green", "grey", "brown", "blue", "black"] as const;
const DIRECTIONS = ["n", "ne", "e", "se", "s", "sw", "w", "nw"];

export function box(): Box {
  return componentsOf<Box>("nautilus");
}

/**
 * Split the id of a module: `hab_a_3` is a habitation of kind a, `res_grey_2` a grey research
 * module.
 */
export function partsOf(module: string): { family: string; look: string; number: string } {
  const [family = "", look = "", number = ""] = module.split("_");
  return { family, look, number };
}

/** Return the directions of a module's exits after quarter turns, clockwise from 0 (north). */
export function exitsOf(module: string, rotation: number): number[] {
  const { modules } = box();
  const { family, look, number } = partsOf(module);
  const printed =
    family === "base"
      ? modules.base
      : family === "hab"
        ? modules.habitations.find(({ kind }) => kind === `hab_${look}`)?.exits
        : modules.research.exits[Number(number) - 1];
  return (printed ?? []).map((exit) => (DIRECTIONS.indexOf(exit) + 2 * rotation) % 8);
}

/** Name a cell as on a chart: column letters, row number. */
export function cellName([column, row]: Cell): string {
  return `${columnName(column)}${row + 1}`;
}

export function columnName(column: number): string {
  const letter = (index: number): string => String.fromCharCode(65 + index);
  return column < 26 ? letter(column) : `A${letter(column - 26)}`;
}

/** Return the sort of a find: `starfish` of `starfish_3`. */
export function sortOf(find: string): string {
  return find === "?" ? "hidden" : find.replace(/_\d+$/, "");
}

/** Return the seat of a researcher or submarine: `r0_01`, `s3_2`. */
export function seatOf(piece: string): number {
  return Number(piece.charAt(1));
}

/** Return the module that covers a cell; the nearer one if two share a half cell. */
export function moduleAt(view: View, [column, row]: Cell): View["modules"][number] | null {
  const near = view.modules
    .map((module) => {
      const [across, down] = module.cell;
      return { module, x: Math.abs(across - column), y: Math.abs(down - row) };
    })
    .filter(({ x, y }) => x <= 1 && y <= 1)
    .sort((a, b) => a.x + a.y - b.x - b.y);
  return near[0]?.module ?? null;
}

/** Return the price of a build (NAU-27), for display only: the service decides. */
export function buildPrice(view: View, [column, row]: Cell): number {
  const { board, zones } = box();
  const around = [-1, 0, 1].flatMap((down) =>
    [-1, 0, 1].map((across) => board.rows[row + down]?.charAt(column + across).toLowerCase()),
  );
  const ranks = zones.filter(({ letter }) => around.includes(letter)).map(({ rank }) => rank);
  return Math.max(0, Math.max(...ranks) - view.turn.paid_rank);
}

export const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);
