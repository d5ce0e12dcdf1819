/** The check that all dice of a match follow from its secret. */
import { Chance, matchSeed } from "./chance.mjs";
import { GAMES } from "./games.mjs";

/**
 * @typedef {import("./chance.mjs").Crypto} Crypto
 * @typedef {import("./games.mjs").Fields} Fields
 */

/** Parts of a game's state that dice are drawn from. */
const FOLDED = ["piles", "deck", "hand", "water"];

const SEATS_MAX = 64;

/**
 * Return whether a match can have so many seats.
 *
 * @param {unknown} seats
 */
export function isTable(seats) {
  return Number.isInteger(seats) && Number(seats) > 0 && Number(seats) <= SEATS_MAX;
}

/**
 * Return whether this program has the draws of a match's game.
 *
 * @param {Fields} header
 */
export function isKnown({ game, rules, seats }) {
  return Object.hasOwn(GAMES, game) && GAMES[game]?.rules === rules && isTable(seats);
}

/**
 * Yield the versions of all records whose dice fell otherwise, of a game that is known.
 *
 * @param {readonly Fields[]} records
 * @param {Uint8Array} serviceSeed
 * @param {Crypto} crypto
 * @returns {Generator<number>}
 */
export function* misdrawn(records, serviceSeed, crypto) {
  const header = records[0]?.events[0];
  const game = GAMES[header.game]?.events ?? {};
  const entropies = Array(header.seats).fill("");
  /** @type {import("./games.mjs").Table | undefined} */
  let table;
  /** @type {Uint8Array} */
  let seed = new Uint8Array();
  /** @type {Fields} */
  let state = {};
  /** The state after each record, for undo. @type {string[]} */
  const states = [];
  for (const { v, events } of records) {
    let dice;
    for (const event of events) {
      if (!table && event.type === "seat_taken") entropies[event.seat] = event.entropy;
      if (!table && ["seat_freed", "bot_seated"].includes(event.type)) entropies[event.seat] = "";
      if (event.type === "match_started") {
        table = { seats: header.seats, options: event.options ?? header.options };
        seed = matchSeed(crypto, serviceSeed, entropies);
        const from = header.branch?.state ?? {};
        state = structuredClone(Object.fromEntries(FOLDED.map((name) => [name, from[name]])));
      } else if (event.type === "undone") {
        state = JSON.parse(states[event.to - 1] ?? "{}");
        for (const kept of event.kept ?? [])
          for (const again of records[kept - 1]?.events ?? [])
            if (table) game[again.type]?.(again, state, new Chance(crypto, seed, kept), table);
      } else if (table && game[event.type]) {
        dice ??= new Chance(crypto, seed, v);
        const drawn = game[event.type]?.(event, state, dice, table) ?? {};
        if (Object.keys(drawn).some((name) => JSON.stringify(event[name]) !== JSON.stringify(drawn[name])))
          yield v;
      }
    }
    states.push(JSON.stringify(state));
  }
}
