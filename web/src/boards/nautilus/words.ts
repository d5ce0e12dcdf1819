import type { BoardProps, Words } from "../contract";
import { loadComponents } from "../components";
import { isCell } from "../values";
import { cellName, partsOf, sortOf, type Cell, type View } from "./box";
import { about } from "./about";

type Say = BoardProps["say"];

const MODULES = new Set(["module", "modules", "kind"]);

export const words: Words = {
  people: true,
  about,
  load: () => loadComponents("nautilus"),
  value(field, value, say, view) {
    if (isCell(value)) return cellName(value);
    if (typeof value !== "string") return undefined;
    if (field === "find") return findName(value, say);
    if (field === "colour") return say(`colours.f.${value}`);
    if (MODULES.has(field) || (field === "to" && /^(base|hab|res)/.test(value)))
      return moduleName(value, say);
    if (field === "researcher" || field === "submarine") return placedName(value, say, view as View | null);
    return undefined;
  },
  more(thing, say, _view, name) {
    switch (thing.type) {
      case "buy_module":
      case "module_bought": {
        const crew = Array.isArray(thing.researchers) ? thing.researchers.length : Number(thing.researchers);
        return { context: crew > 0 ? "crew" : "lab", count: crew };
      }
      case "game_set_up":
        return { context: thing.extra ? "balanced" : undefined };
      case "turn_advanced":
        return { context: String(thing.step) || "over" };
      case "find_covered":
        return { context: Number(thing.seat) < 0 ? "base" : undefined };
      case "researcher_moved": {
        const path = thing.path as string[];
        return {
          // Without the module where it is now, unlike in `value`.
          researcher: pieceName(String(thing.researcher), say),
          from: moduleName(path[0] ?? "", say),
          to: moduleName(path.at(-1) ?? "", say),
        };
      }
      case "submarine_moved": {
        const last = (thing.path as Cell[]).at(-1);
        return { to: last ? cellName(last) : "" };
      }
      case "module_activated":
        return {
          context: thing.three_taken ? "three" : undefined,
          rent: Number(thing.rent_to) < 0 ? "" : say("board.rent", { who: name(Number(thing.rent_to)) }),
        };
      case "sonar_used":
      case "finds_peeked":
        return {
          context: Array.isArray(thing.faces) ? "known" : "hidden",
          count: Array.isArray(thing.cells) ? thing.cells.length : 0,
          found: Array.isArray(thing.faces)
            ? thing.faces.map((face) => findName(String(face), say)).join(", ")
            : "",
        };
      case "find_taken":
        return { context: Number(thing.gain) > 0 ? "chest" : undefined };
      case "bonus_skipped":
        return { bonus: say(`bonuses.${String(thing.bonus)}`) };
      case "end_triggered":
        return { reason: say(`reasons.${String(thing.reason)}`) };
      case "pay_mission":
      case "mission_paid":
        return { count: Number(thing.count) };
      default:
        return {};
    }
  },
};

/** Name a module: `res_grey_2` is grey 2. */
export function moduleName(module: string, say: Say): string {
  const { family, look, number } = partsOf(module);
  if (family === "base") return say("modules.base");
  if (family === "hab") return say("modules.hab", { kind: look.toUpperCase(), number });
  return say("modules.res", { colour: say(`colours.m.${look}`), number });
}

/** Name a find; a treasure by its number. */
export function findName(find: string, say: Say): string {
  const sort = sortOf(find);
  return sort === "treasure"
    ? say("finds.treasure", { number: find.replace("treasure_", "") })
    : say(`finds.${sort}`);
}

/** Name a researcher or a submarine. */
function pieceName(piece: string, say: Say): string {
  const kind = piece.startsWith("r") ? "researcher" : "submarine";
  return say(`pieces.${kind}`, { number: Number(piece.split("_")[1]) });
}

/** Name a researcher or a submarine, and where it is. */
export function placedName(piece: string, say: Say, view: View | null): string {
  const module = view?.researchers[piece];
  if (module !== undefined) return `${pieceName(piece, say)} (${moduleName(module, say)})`;
  const boat = view?.submarines[piece];
  const named = pieceName(piece, say);
  return boat ? `${named} (${cellName(boat.cell)})` : named;
}
