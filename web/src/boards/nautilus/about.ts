/** What modules, finds, boats and depths are, and what they do at the own level. */
import type { About, Explained, Words } from "../contract";
import { box, moduleAt, partsOf, seatOf, sortOf, type Cell, type View } from "./box";
import { findName, moduleName } from "./words";

export const about: NonNullable<Words["about"]> = (kind, id, _, explained) => {
  const { say } = explained;
  if (kind === "module") return ofModule(id, explained);
  if (kind === "colour") return { title: say(`colours.f.${id}`), lines: ofColour(id, explained) };
  if (kind === "find") return ofFind(id, explained);
  const [column = 0, row = 0] = id.split(",").map(Number);
  return atCell([column, row], explained);
};

/** Explain what lies uppermost in a cell: a boat, a module, a find, or the sea. */
function atCell([column, row]: Cell, explained: Explained): About {
  const { say, name } = explained;
  const view = explained.view as View;
  const isHere = ([across, down]: Cell): boolean => across === column && down === row;
  const boat = Object.entries(view.submarines).find(([, { cell }]) => isHere(cell));
  if (boat) {
    return {
      title: say("about.boat", { who: name(seatOf(boat[0])) }),
      lines: [say("about.boatDoes"), ...abilityOf("grey", explained)],
    };
  }
  const module = moduleAt(view, [column, row]);
  if (module) return ofModule(module.id, explained, module.owner);
  const find = view.hidden.find(([across, down]) => across === column && down === row);
  const letter = box().board.rows[row]?.charAt(column).toLowerCase();
  const zone = box().zones.find((one) => one.letter === letter);
  const deep = zone
    ? [
        `${say(`zones.${zone.id}`)}: ${say("about.zone", { rank: zone.rank })}`,
        ...(zone.id === "abyss" ? [say("about.abyss")] : []),
      ]
    : [];
  if (!find) return { title: zone ? say(`zones.${zone.id}`) : "", lines: deep };
  const { title, lines } = ofFind(find[3], explained);
  return { title, lines: [...lines, ...deep] };
}

function ofModule(module: string, explained: Explained, owner = -1): About {
  const { say, name } = explained;
  const { family, look } = partsOf(module);
  return {
    title: moduleName(module, say),
    lines: [
      ...(owner >= 0 ? [say("board.ownedBy", { who: name(owner) })] : []),
      ...(family === "res" ? ofColour(look, explained) : [say(`about.${family}`)]),
      ...(family === "res" ? [say("about.rent")] : []),
    ],
  };
}

function levelIn(colour: string, { view, you }: Explained): number {
  return you === null ? 0 : ((view as View).level[you]?.[colour] ?? 0);
}

/** Say what a colour's ability is at the own level. */
function abilityOf(colour: string, explained: Explained): string[] {
  const ability = box().colours.find(({ id }) => id === colour)?.ability ?? [];
  const longer = colour === "brown" && explained.options.sonar_range === "text" ? 1 : 0;
  const now = (ability[levelIn(colour, explained)] ?? 0) + longer;
  return [explained.say(`about.colours.${colour}`, { now })];
}

function ofColour(colour: string, explained: Explained): string[] {
  const { say } = explained;
  return [
    ...abilityOf(colour, explained),
    say("about.level", { level: levelIn(colour, explained) }),
    say("about.points"),
  ];
}

function ofFind(find: string, { say }: Explained): About {
  const sort = sortOf(find);
  const value = box().finds.find((one) => one.sort === sort)?.value;
  const creature = typeof value === "number" && sort !== "gold";
  return {
    title: findName(find, say),
    lines: [
      say(`about.${creature ? "creature" : sort}`, { value: value ?? 0 }),
      ...(creature && value === 0 ? [say("about.looks")] : []),
    ],
  };
}
