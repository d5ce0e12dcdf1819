/** The drawings on the cards, each one path in a box of 48 by 36, and which card has which. */
const LINES = {
  person: "M24 5a5 5 0 1 1 0 10a5 5 0 1 1 0-10M13 33c0-9 4-14 11-14s11 5 11 14",
  child: "M24 12a4 4 0 1 1 0 8a4 4 0 1 1 0-8M16 33c0-7 3-10 8-10s8 3 8 10M20 11l4-5 4 5",
  iceberg: "M8 24L18 8l5 5 4-8 13 19M4 24h40M12 28l6 6 6-4 6 4 7-6",
  anchor:
    "M24 8v24M17 14h14M24 3a3 3 0 1 1 0 6a3 3 0 1 1 0-6M11 22c0 7 6 11 13 11s13-4 13-11M8 26l3-4 4 3M40 26l-3-4-4 3",
  scales: "M24 5v27M15 32h18M10 10h28M10 10l-5 11h10ZM38 10l-5 11h10Z",
  link: "M20 12h-6a6 6 0 0 0 0 12h6M28 12h6a6 6 0 0 1 0 12h-6M17 18h14",
  note: "M18 28V8l16-3v19M18 28a4 3 0 1 1-4-3a4 3 0 0 1 4 3M34 24a4 3 0 1 1-4-3a4 3 0 0 1 4 3",
  glass: "M13 6h22L24 19ZM24 19v12M17 32h14M18 11h12",
  hand: "M8 30h9c5 0 7-3 12-3h9c4 0 4-5 0-5h-9M8 20c6-2 9-2 12 0l9 2M21 11a4 4 0 1 1 8 0a4 4 0 1 1-8 0",
  ghost: "M13 32V16a11 11 0 0 1 22 0v16l-4-4-3 4-4-4-4 4-3-4ZM20 15v3M28 15v3",
  mask: "M6 13c6-4 12-4 18 0c6-4 12-4 18 0c0 10-4 14-9 14c-4 0-6-3-9-6c-3 3-5 6-9 6c-5 0-9-4-9-14M15 16l4 3M33 16l-4 3",
  cap: "M10 20c0-6 6-9 14-9s14 3 14 9l-2 4H12ZM8 28c10-5 22-5 32 0M24 14v4M22 16h4",
  cradle: "M9 14c0 13 30 13 30 0ZM12 30c8 4 16 4 24 0M24 14V6c7 0 11 3 12 8",
  pot: "M12 14h24v15H12ZM8 18h4M36 18h4M18 9c0-3 4-2 4-5M27 9c0-3 4-2 4-5",
  bars: "M10 6h28v26H10ZM17 6v26M24 6v26M31 6v26",
  cards: "M10 11l14-4 6 20-14 4ZM26 8l11 3-5 19-4-1",
  goggles: "M8 12h32v8a7 7 0 0 1-12 3l-4-4-4 4a7 7 0 0 1-12-3ZM40 14l4-8",
  cross: "M20 6h8v8h8v8h-8v8h-8v-8h-8v-8h8Z",
  flame: "M24 33c-8 0-11-6-9-12c2-5 8-8 8-16c6 4 11 10 11 17c0 7-4 11-10 11M24 33c-4-4-2-8 1-11c4 4 4 8-1 11",
  fish: "M6 18c8-11 22-11 28 0c-6 11-20 11-28 0M34 18l9-7v14ZM14 16v1",
  feather: "M12 32L34 8M34 8c4-3 3 8-2 13s-12 6-15 5M34 8c-8-1-14 6-16 12",
  rose: "M24 17a4 4 0 1 1 0-8a4 4 0 1 1 0 8M24 20a8 7 0 1 1 0-15a8 7 0 1 1 0 15M24 20v13M24 28c4-5 8-4 10-3c-2 3-6 5-10 3",
  heart: "M24 31C10 21 10 8 18 8c4 0 6 4 6 5c0-1 2-5 6-5c8 0 8 13-6 23",
  wrench: "M30 6a8 8 0 0 0-4 11L11 30l4 4 14-14a8 8 0 0 0 11-9l-6 4-4-4Z",
  fan: "M24 31L8 15c9-10 23-10 32 0ZM24 31L16 9M24 31l8-22M24 31V7",
  vest: "M14 6h6c0 6 8 6 8 0h6v26H14ZM24 11v21M14 20h20",
  boat: "M6 20h36c-2 8-7 11-18 11S8 28 6 20M24 20V6l10 9H24",
  ring: "M24 5a13 13 0 1 1 0 26a13 13 0 1 1 0-26M24 12a6 6 0 1 1 0 12a6 6 0 1 1 0-12M24 5v7M24 24v7M11 18h7M30 18h7",
  lock: "M13 17h22v15H13ZM17 17v-4a7 7 0 0 1 14 0v4M24 22v5",
  broom: "M35 4L22 19M15 19l11 8M15 19c-5 5-7 8-7 13c6 1 12 0 18-5M14 26l-3 5M19 29l-3 3",
  compass: "M24 4a14 14 0 1 1 0 28a14 14 0 1 1 0-28M31 11l-4 10-10 4 4-10Z",
  wheel: "M24 8a10 10 0 1 1 0 20a10 10 0 1 1 0-20M24 2v32M8 18h32M13 7l22 22M35 7L13 29",
  skull:
    "M24 5c9 0 13 5 13 11c0 4-2 6-4 8v6H15v-6c-2-2-4-4-4-8c0-6 4-11 13-11M18 15v3M30 15v3M21 30v-4M27 30v-4",
  book: "M24 10c-4-4-10-4-16-3v22c6-1 12-1 16 3c4-4 10-4 16-3V7c-6-1-12-1-16 3M24 10v22",
  coin: "M24 5a13 13 0 1 1 0 26a13 13 0 1 1 0-26M28 13c-2-3-8-2-8 1c0 5 8 3 8 8c0 3-6 4-9 1M24 9v18",
  hammer: "M12 6h16l6 6-6 4H12ZM19 16v17h5V16",
  rat: "M7 26c0-9 7-13 15-13c8 0 12 4 17 11l-6 3H7M33 17a3 3 0 1 0-6-3M7 26c-4 2-4 6 2 6M34 21v1",
  bomb: "M21 13a10 10 0 1 1 0 20a10 10 0 1 1 0-20M27 14l5-6M32 8c4-4 6 0 9-3M36 10l3 3",
  seal: "M6 30c6-1 8-6 8-12c0-8 8-12 12-7l6 2-3 4c4 5 7 9 12 13c-9 2-16 2-25 0ZM24 14v1",
  shield: "M24 4l13 5c0 12-4 19-13 24c-9-5-13-12-13-24ZM24 4v29M11 17h26",
  tray: "M8 22h32M12 22a12 11 0 0 1 24 0M24 11V8M10 26h28",
  hat: "M15 24V8h18v16M8 26c9 5 23 5 32 0l-3-3H11ZM15 18h18",
  torpedo: "M8 18c0-5 5-7 10-7h14l6 7-6 7H18c-5 0-10-2-10-7M32 11l6-4v22l-6-4M14 18h8",
  gauge: "M8 28a16 16 0 1 1 32 0ZM24 28l8-11M12 24h3M33 24h3M24 13v3",
} as const;

type Line = keyof typeof LINES;

const SHOWN: Readonly<Record<string, Line>> = {
  baby: "child", iceberg: "iceberg", anchor: "anchor", arbiter: "scales", assistant: "link", band: "note",
  bartender: "glass", beggar: "hand", boogeyman: "ghost", burglar: "mask", captain: "cap", caretaker: "cradle",
  chef: "pot", convict: "bars", dealer: "cards", diver: "goggles", doctor: "cross", drunkard: "glass",
  fanatic: "flame", fisherman: "fish", flapper: "feather", jack: "heart", janitor: "broom", lady: "fan",
  life_jacket: "vest", lifeboat: "boat", lifebuoy: "ring", lifeguard: "ring", lockdown: "lock", maid: "broom",
  mime: "mask", navigator: "compass", pirate: "skull", polka_dancer: "note", priest: "book", profiteer: "coin",
  proletarian: "hammer", rats: "rat", rose: "rose", saboteur: "bomb", seal: "seal", ship_guard: "shield",
  steersman: "wheel", steward: "tray", stimulants: "cross", stoker: "flame", storyteller: "book", stowaway: "boat",
  teacher: "book", technician: "wrench", torpedo: "torpedo", tycoon: "hat", singer: "note",
}; // prettier-ignore

/** Return the drawing of a type of card. */
export function lineOf(type: string): string {
  return LINES[SHOWN[type] ?? "person"];
}
