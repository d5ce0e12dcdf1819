/** Addresses of puzzles. They name the game to which the player keeps; an empty one stands for all. */

const kept = (game: string): string => (game ? `?game=${game}` : "");

export const puzzleAt = (id: string, game: string): string => `/puzzle/${id}${kept(game)}`;
export const listAt = (game: string): string => `/puzzle${kept(game)}`;
