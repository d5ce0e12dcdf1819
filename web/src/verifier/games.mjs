/**
 * The draws of Shiplog's games, as their rules make them. For every event that shows dice there is a
 * function that returns the drawn fields. Other events are here only if they move cards that are
 * drawn later.
 *
 * @typedef {import("./chance.mjs").Chance} Chance
 * @typedef {Record<string, any>} Fields
 * @typedef {{ readonly seats: number, readonly options: Fields }} Table
 * @typedef {(event: Fields, state: Fields, dice: Chance, table: Table) => Fields | void} Draw
 * @typedef {{ readonly rules: number, readonly events: Readonly<Record<string, Draw>> }} Game
 */

/** @param {number} count */
const upTo = (count) => Array.from({ length: count }, (_, place) => place);
/** @type {(name: string, count: number, first?: number) => string[]} */
const numbered = (name, count, first = 1) => upTo(count).map((place) => `${name}_${first + place}`);
/** @param {string} text */
const words = (text) => text.split(" ");
/** @type {(lists: readonly (readonly string[])[]) => string[][]} */
const copied = (lists) => lists.map((list) => [...list]);

const ASIDE = { none: 0, galatea: 4, triton: 6, leucothea: 8, amphitrite: 10, poseidon: 12 };
const STORMS = ["yellow", "purple", "orange"].flatMap((colour) => numbered(`storm_${colour}`, 2));
const RACE_HAND = 5;
const RACE_ROW = 6;
const EXPLORATION = [
  ...numbered("finish", 5),
  ...numbered("border", 4, 22),
  "rocks",
  ...numbered("monster", 5),
  ...STORMS,
  ...numbered("compass", 6),
];

/** @type {Game} */
const tranquility = {
  rules: 1,
  events: {
    dealt(event, state, dice, { seats, options }) {
      const aside = ASIDE[/** @type {keyof typeof ASIDE} */ (options.difficulty)];
      const islands = dice.shuffled(numbered("island", 80));
      const removed = islands.splice(0, aside);
      state.piles = copied(event.piles);
      if (options.variant === "competitive") {
        const deck = islands.slice(2 * RACE_HAND);
        return {
          removed,
          hands: [islands.slice(0, RACE_HAND), islands.slice(RACE_HAND, 2 * RACE_HAND)],
          row: deck.splice(0, RACE_ROW),
          deck,
          first_seat: dice.below(2),
        };
      }
      const pyramid = options.variant === "pyramid";
      const cards = dice.shuffled([
        ...islands,
        ...(pyramid ? [] : numbered("finish", 5)),
        ...numbered("monster", options.monsters),
        ...(options.storms ? STORMS : []),
        ...numbered("wild", options.wilds),
      ]);
      const from = dice.below(seats);
      const random = options.first_player === "random";
      return {
        removed,
        deal_from: from,
        first_seat: random ? dice.below(seats) : (from + cards.length) % seats,
        piles: upTo(seats).map((seat) => cards.filter((_, place) => (place + from) % seats === seat)),
        explore: pyramid ? dice.shuffled(EXPLORATION) : [],
        rocks_row: options.rocks ? dice.below(options.variant === "high_arch" ? 7 : 6) : -1,
      };
    },
    cards_drawn({ seat, count }, state) {
      state.piles[seat].splice(0, count);
    },
    deck_discarded({ seat, count }, state) {
      state.piles[seat].splice(0, count);
    },
    storm_drawn({ seat, origin }, state) {
      if (origin === "draw") state.piles[seat].shift();
    },
    starts_shuffled(event, state, dice) {
      const slots = state.piles.map((/** @type {string[]} */ pile) => dice.below(pile.length + 1));
      event.slots.forEach((/** @type {number} */ slot, /** @type {number} */ seat) =>
        state.piles[seat].splice(slot, 0, "start"),
      );
      return { slots };
    },
  },
};

const CARD_COLOURS = words("red yellow green blue grey");
const MOTIFS = words("amphora astrolabe bell chalice chest compass crown dagger helmet idol lantern mask");
const DECKS = [0, 0, 15, 15, 13, 12];

/** @type {Game} */
const submarine = {
  rules: 1,
  events: {
    dealt(_event, _state, dice, { seats, options }) {
      const layout = dice.shuffled(
        MOTIFS.flatMap((motif) => CARD_COLOURS.map((colour) => `${motif}_${colour}`)),
      );
      const share = DECKS[seats] ?? 0;
      const spare = 60 - seats * share;
      const even = options.card_trim !== "random";
      const more = even && spare % 5 ? dice.sample(CARD_COLOURS, spare % 5) : [];
      /** @param {string} colour */
      const less = (colour) => (even ? Math.floor(spare / 5) + Number(more.includes(colour)) : 0);
      const deck = dice.shuffled(CARD_COLOURS.flatMap((colour) => Array(12 - less(colour)).fill(colour)));
      const shells = dice.shuffled(CARD_COLOURS.map((colour) => `shell_${colour}`)).slice(0, seats);
      return {
        layout,
        shells,
        decks: upTo(seats).map((seat) => deck.slice(seat * share, (seat + 1) * share)),
        aside: even
          ? CARD_COLOURS.flatMap((colour) => Array(less(colour)).fill(colour))
          : deck.slice(seats * share),
        first: options.first_player < 0 ? dice.below(seats) : options.first_player,
      };
    },
  },
};

/** By map, the islands in each row of the light and of the dark side: bit 0 is the first column. */
const ISLANDS = {
  alpha: ["8 80 0 84 0 10 40 0 88 0", "0 3044 1104 100 0 0 14a 4a 3888 0 8 884 1001 2144 8"],
  bravo: ["8 80 0 84 0 0 40 0 8 0", "0 3004 104 100 0 0 0 8 3808 0 8 884 0 100 0"],
  charlie: ["0 0 0 1c 0 40 c0 40 0 0", "0 0 1020 820 0 0 0 108 100 180 0 0 8 10 0"],
  delta: ["0 44 4 100 0 0 142 2 88 0", "0 3044 4 140 0 0 142 2 2888 0 8 884 2001 2044 0"],
  echo: ["0 2 40 0 200 0 80 0 42 0", "4 180 300a 40 0 0 2002 48 900 0 0 48 2000 2042 0"],
};

/** @type {(map: string, side: string) => number[][]} */
function seaOf(map, side) {
  const [light, dark] = ISLANDS[/** @type {keyof typeof ISLANDS} */ (map)];
  const rows = words((side === "light" ? light : dark) ?? "").map((row) => Number.parseInt(row, 16));
  return rows.flatMap((islands, row) =>
    upTo(rows.length)
      .filter((column) => ((islands >> column) & 1) === 0)
      .map((column) => [column, row]),
  );
}

/** @type {Game} */
const captain_sonar = {
  rules: 1,
  events: {
    setup_done(_event, _state, dice, { options }) {
      const auto = options.mode === "turns" ? "light" : "dark";
      const sea = seaOf(options.map, options.board_side === "auto" ? auto : options.board_side);
      return {
        first_crew: options.first_crew < 0 ? dice.below(2) : options.first_crew,
        pads: [0, 1].map(() => upTo(64).map(() => dice.below(65536))),
        default_starts: [0, 1].map(() => sea[dice.below(sea.length)]),
      };
    },
  },
};

/** By depth zone, the finds: name and number of the first and of the last. */
const FINDS = [
  "starfish 1 3, seahorse 1 3, chest 1 1, thrust 1 1",
  "starfish 4 5, seahorse 4 5, octopus 1 2, ray 1 2, gold 1 1, chest 2 4, thrust 2 2, treasure 1 3",
  "starfish 6 6, seahorse 6 6, octopus 3 4, ray 3 4, anglerfish 1 2, gold 2 4, chest 5 7, thrust 3 4, treasure 4 9",
  "anglerfish 3 4, gold 5 6, chest 8 9, thrust 5 6, treasure 10 15",
].map((zone) =>
  zone.split(", ").flatMap((group) => {
    const [name = "", first, last] = group.split(" ");
    return numbered(name, Number(last) - Number(first) + 1, Number(first));
  }),
);
/** The find places: column, row, depth zone. */
const PLACES = [
  "6 1 2, 10 1 2, 16 1 2, 20 1 3, 13 2 2, 25 2 3, 2 3 2, 5 3 2, 15 3 1, 21 3 3, 7 4 2, 18 4 1, 4 5 2, 13 5 1",
  "27 5 3, 29 5 3, 1 7 2, 16 7 0, 22 7 1, 5 8 1, 11 8 0, 20 8 0, 27 8 3, 3 9 2, 7 9 1, 24 9 1, 29 9 3, 26 11 1",
  "2 12 2, 9 12 0, 21 12 0, 28 12 2, 4 13 1, 1 15 3, 6 15 1, 23 15 1, 27 15 2, 3 16 3, 10 16 0, 19 16 0, 25 16 1",
  "8 17 1, 14 17 0, 29 17 2, 1 19 3, 3 19 3, 17 19 1, 26 19 2, 12 20 1, 23 20 2, 9 21 3, 15 21 1, 25 21 2",
  "28 21 2, 5 22 3, 17 22 2, 10 23 3, 14 23 2, 20 23 2, 24 23 2",
].flatMap((row) => row.split(", ").map((place) => words(place).map(Number)));

/** @type {Game} */
const nautilus = {
  rules: 1,
  events: {
    game_set_up(_event, _state, dice, { seats, options }) {
      return { first_seat: options.first_seat === "random" ? dice.below(seats) : 0 };
    },
    sea_stocked(_event, _state, dice) {
      const piles = FINDS.map((finds) => dice.shuffled(finds));
      return { finds: PLACES.map(([column, row, zone = 0]) => [column, row, piles[zone]?.shift()]) };
    },
    missions_dealt(_event, _state, dice) {
      return { order: dice.shuffled(numbered("mission", 4)) };
    },
  },
};

const SHOP = 5;
const SINKING_HAND = 5;
/** The supply cards in their order, each with the number of copies unless there are 2. */
const SUPPLY = words(
  "anchor arbiter:1 assistant band:1 bartender beggar boogeyman:1 burglar captain:1 caretaker chef convict " +
    "dealer diver doctor drunkard fanatic fisherman:3 flapper jack:1 janitor lady life_jacket lifeboat:3 " +
    "lifebuoy:3 lifeguard lockdown maid mime navigator pirate polka_dancer:3 priest profiteer proletarian " +
    "rats:4 rose:1 saboteur seal ship_guard steersman steward stimulants stoker storyteller stowaway teacher " +
    "technician torpedo tycoon singer",
).map((word) => word.split(":"));
const REACTIONS = words("bartender lifebuoy ship_guard steward teacher");

/** @param {Fields} options */
function supply(options) {
  const out = [...options.exclude_types, ...(options.no_reactions ? REACTIONS : [])];
  if (!options.include_singer) out.push("singer");
  return SUPPLY.filter(([name]) => !out.includes(name)).flatMap(([name = "", copies]) =>
    numbered(name, Number(copies ?? 2)),
  );
}

/** @type {(cards: string[], card: string) => void} */
function remove(cards, card) {
  const place = cards.indexOf(card);
  if (place < 0) throw new RangeError(`${card} is not there.`);
  cards.splice(place, 1);
}

/** @type {(state: Fields, seat: number, card: string, zone: string) => void} */
function takeOut(state, seat, card, zone) {
  if (zone !== "board") remove(state[zone][seat], card);
}

/** @type {(hand: string[], cards: readonly string[]) => void} */
function add(hand, cards) {
  hand.push(...cards);
  hand.sort();
}

/** @type {Draw} */
function strip({ seat }, state) {
  for (const zone of ["hand", "deck", "water"]) state[zone][seat] = [];
}

/** @type {Game} */
const ke_dnu = {
  rules: 1,
  events: {
    dealt(event, state, dice, { seats, options }) {
      const first = options.first_seat === "random" ? dice.below(seats) : Number(options.first_seat);
      const decks = upTo(seats).map((seat) =>
        dice.shuffled([...numbered("passenger", 8, 8 * seat + 1), ...numbered("baby", 2, 2 * seat + 1)]),
      );
      const cards = dice.shuffled(supply(options));
      const removed = [];
      while (cards.slice(0, SHOP).some((card) => card.startsWith("lockdown_")))
        removed.push(...cards.splice(0, SHOP));
      state.deck = copied(event.decks);
      state.hand = decks.map(() => []);
      state.water = decks.map(() => []);
      return { first_seat: first, decks, shop: cards.splice(0, SHOP), shop_deck: cards, removed };
    },
    water_shuffled(event, state, dice) {
      const order = dice.shuffled(state.water[event.seat]);
      state.water[event.seat] = [];
      state.deck[event.seat].push(...event.order);
      return { order };
    },
    deck_shuffled(event, state, dice) {
      const order = dice.shuffled(state.deck[event.seat]);
      state.deck[event.seat] = [...event.order];
      return { order };
    },
    picked({ seat, cards }, state, dice) {
      return { cards: dice.sample(state.hand[seat], cards.length) };
    },
    sinking_started(event, state, dice) {
      const orders = upTo(state.hand.length).map((seat) =>
        dice.shuffled([...state.hand[seat], ...state.deck[seat], ...state.water[seat]].sort()),
      );
      state.deck = copied(event.decks);
      state.hand = copied(event.hands).map((hand) => hand.sort());
      state.water = orders.map(() => []);
      return { hands: orders.map((order) => order.splice(0, SINKING_HAND).sort()), decks: orders };
    },
    cards_drawn({ seat, cards }, state) {
      state.deck[seat].splice(0, cards.length);
      add(state.hand[seat], cards);
    },
    jettisoned({ seat, card, zone }, state) {
      takeOut(state, seat, card, zone);
      if (!card.startsWith("rose_")) state.water[seat].push(card);
    },
    moved({ seat, card, zone, to_seat, to_zone }, state) {
      takeOut(state, seat, card, zone);
      if (to_zone === "hand") add(state.hand[to_seat], [card]);
      else if (to_zone === "deck_top") state.deck[to_seat].unshift(card);
      else state.deck[to_seat].push(card);
    },
    card_bought({ seat, card }, state) {
      state.water[seat].push(card);
    },
    card_played({ seat, card, via }, state) {
      const waters = /** @type {string[][]} */ (state.water);
      remove(via === "hand" ? state.hand[seat] : (waters.find((water) => water.includes(card)) ?? []), card);
    },
    card_placed({ seat, card }, state) {
      remove(state.water[seat], card);
    },
    top_rearranged({ seat, take, put }, state) {
      state.deck[seat].splice(put, 0, ...state.deck[seat].splice(take, 1));
    },
    story_drawn({ seat }, state) {
      state.deck[seat].shift();
    },
    story_placed({ seat, card, where }, state) {
      if (where !== "board") state.deck[seat].push(card);
    },
    ship_sank: strip,
    ship_abandoned: strip,
  },
};

/** @type {Readonly<Record<string, Game>>} */
export const GAMES = { tranquility, submarine, captain_sonar, nautilus, ke_dnu };
