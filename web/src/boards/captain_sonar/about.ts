/** What systems, symbols and cells are. */
import type { Explained, Words } from "../contract";
import { gaugesOf, isBroken, sectorOf, symbols, type Group, type View } from "./sea";
import { symbolTitle } from "./words";

export const about: NonNullable<Words["about"]> = (kind, id, more, explained) => {
  const { say } = explained;
  switch (kind) {
    case "gauge":
      return { title: say(`gauges.${id}`), lines: ofGauge(id, Number(more[0]), explained) };
    case "symbol":
      return { title: symbolTitle(id, say), lines: ofSymbol(id, say) };
    case "damage":
      return { title: say("about.damage"), lines: [say("about.damageDoes")] };
    default:
      return { title: ofCell(id, explained), lines: ofPlaces(more, explained) };
  }
};

function ofGauge(id: string, crew: number, { say, view }: Explained): string[] {
  const { map, crews } = view as View;
  const gauge = gaugesOf(map).find((one) => one.id === id);
  const boat = crews[crew];
  if (!gauge) return [];
  return [
    say(`about.systems.${id}`),
    ...(boat?.gauges ? [say("about.marks", { marks: boat.gauges[id] ?? 0, spaces: gauge.spaces })] : []),
    ...(boat?.crossed && isBroken(boat, gauge.group)
      ? [say("about.broken", { group: say(`groups.${gauge.group}`) })]
      : []),
  ];
}

function ofSymbol(id: string, say: Explained["say"]): string[] {
  const symbol = symbols().find((one) => one.id === id);
  if (!symbol) return [];
  const group: Group = symbol.group;
  return [
    group === "radiation"
      ? say("about.radiation")
      : say("about.group", { systems: say(`groups.${group}_systems`) }),
    symbol.circuit
      ? say("about.circuit", { circuit: say(`circuits.${symbol.circuit}`) })
      : say("about.reactor"),
    say("about.panel"),
  ];
}

function ofCell(name: string, { say, view }: Explained): string {
  const cell = [name.charCodeAt(0) - 65, Number(name.slice(1)) - 1] as const;
  return say("about.cell", { cell: name, sector: sectorOf(cell, (view as View).size) });
}

/** Explain what is drawn on a cell; of the rest, the name is enough. */
function ofPlaces(places: readonly string[], { say, options }: Explained): string[] {
  const EXPLAINED = ["island", "ice", "boat", "route", "mine", "archer"];
  const context = options.torpedo_over_islands ? "flown" : undefined;
  return places.map((place) =>
    say(EXPLAINED.includes(place) ? `about.map.${place}` : `map.${place}`, { context }),
  );
}
