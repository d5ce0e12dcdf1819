import type { BoardProps, Words } from "../contract";
import { loadComponents } from "../components";
import { isCell } from "../values";
import { box, cellName, columnName, symbols, type Symbol, type View } from "./sea";
import { about } from "./about";

type Say = BoardProps["say"];

const CREWS = new Set(["crew", "winner_crew"]);
const CELLS = new Set(["cell", "target", "origin"]);
const NAMED: Readonly<Record<string, string>> = {
  gauge: "gauges",
  direction: "ways",
  system: "gauges",
  circuit: "circuits",
  role: "roles",
  map: "options.map.values",
  mode: "options.mode.values",
};

export const words: Words = {
  people: true,
  about,
  load: () => loadComponents("captain_sonar"),
  value(field, value, say, view) {
    if (CREWS.has(field) && typeof value === "number") return boatName(view as View, value, say);
    if (CELLS.has(field) && isCell(value)) return cellName(value);
    if (field === "symbol") return symbolTitle(String(value), say);
    if (field === "section") return sectionName(Number(value), say);
    if (field === "retry_after_ms") return String(Math.ceil(Number(value) / 1000));
    if (field === "direction" && value === "") return say("ways.none");
    if (field === "damage" && Array.isArray(value)) return value.join(" : ");
    const list = NAMED[field];
    return list !== undefined && typeof value === "string" && value !== ""
      ? say(`${list}.${value}`)
      : undefined;
  },
  team(seat, say, view) {
    const crew = (view as View).crew_seats.findIndex((seats) => seats.includes(seat));
    return crew < 0 ? undefined : boatName(view as View, crew, say);
  },
  more(thing, say, view) {
    switch (thing.type) {
      case "answer_sonar":
        return {
          first: factName(String(thing.kind_a), Number(thing.value_a), say),
          second: factName(String(thing.kind_b), Number(thing.value_b), say),
        };
      case "sonar_answered": {
        const [kinds, values] = [thing.kinds as string[], thing.values as number[]];
        return {
          first: factName(kinds[0] ?? "", values[0] ?? 0, say),
          second: factName(kinds[1] ?? "", values[1] ?? 0, say),
        };
      }
      case "run_silent":
        return { context: thing.distance === 0 ? "still" : undefined, count: Number(thing.distance) };
      case "turn_started":
        return { context: thing.bonus ? "bonus" : undefined, count: Number(thing.turns_left) };
      case "damage_taken":
        return { cause: say(`causes.${String(thing.cause)}`), count: Number(thing.amount) };
      case "drone_launched":
        return { context: thing.answer ? "yes" : "no" };
      case "blast": {
        const [zero, one] = thing.results as [string, string];
        return {
          zero: `${boatName(view as View, 0, say)}: ${say(`impacts.${zero}`)}`,
          one: `${boatName(view as View, 1, say)}: ${say(`impacts.${one}`)}`,
        };
      }
      case "course_ordered":
      case "mine_dropped":
      case "start_chosen":
        return { context: thing.cell ? "own" : undefined };
      case "silence_run":
        return {
          context: typeof thing.distance === "number" ? "own" : undefined,
          count: Number(thing.distance ?? 0),
        };
      case "torpedo_launched":
        return { context: lostMine(thing) };
      case "repairs_inspected":
        return { context: thing.ok ? "ok" : "bad" };
      case "submarine_destroyed":
        return { context: thing.both ? "both" : undefined };
      default:
        return {};
    }
  },
};

function lostMine(thing: Readonly<Record<string, unknown>>): string | undefined {
  if (thing.own_mine === true || thing.enemy_mine === true) return "mine";
  return thing.archer_mine === true ? "archer" : undefined;
}

/** Name a boat, as chosen in the options. */
export function boatName(view: View | null, crew: number, say: Say): string {
  if (crew < 0) return say("boats.none");
  return say(`boats.${view?.options.boat_names?.[crew] ?? ""}`);
}

/** Name one fact of a sonar's answer. */
export function factName(kind: string, value: number, say: Say): string {
  const told = kind === "column" ? columnName(value) : kind === "row" ? value + 1 : value;
  return say(`facts.${kind}`, { value: told });
}

function sectionName(id: number, say: Say): string {
  return say(`sections.${box().sections.find((one) => one.id === id)?.name ?? ""}`);
}

/** Name a symbol by panel, group and circuit. */
export function symbolTitle(id: string, say: Say): string {
  const symbol = symbols().find((one) => one.id === id);
  return symbol ? symbolName(symbol, false, say) : id;
}

export function symbolName(symbol: Symbol, crossed: boolean, say: Say): string {
  const parts = [
    `${say(`ways.${symbol.id.charAt(0)}`)} ${symbol.id.slice(1)}`,
    say(`groups.${symbol.group}`),
    symbol.circuit ? say(`circuits.${symbol.circuit}`) : say("circuits.reactor"),
  ];
  return (crossed ? [...parts, say("board.crossed")] : parts).join(", ");
}

/** Name what the radio operator heard. */
export function heardName(token: string, say: Say): string {
  const [kind = "", ...rest] = token.split(":");
  const told = rest.join(":");
  if (kind.length === 1) return say(`ways.${kind}`);
  if (kind === "torpedo" || kind === "trigger" || kind === "archer") {
    const [column = 0, row = 0] = told.split(",").map(Number);
    return say(`heard.${kind}`, { cell: cellName([column, row]) });
  }
  if (kind === "sonar") {
    const facts = told.split(",").map((fact) => {
      const [name = "", value = "0"] = fact.split("=");
      return factName(name, Number(value), say);
    });
    return say("heard.sonar", { first: facts[0], second: facts[1] });
  }
  if (kind === "drone") return say(`heard.drone_${rest[1] ?? "no"}`, { sector: rest[0] });
  return say(`heard.${kind}`, { value: told });
}
