/**
 * The games' boards, found by their folders: each is a chunk of its own. Other games may bring a
 * board with their package.
 */
import "./board.css";
import { loadWords } from "../i18n/i18n.svelte";
import type { Component } from "svelte";
import type { Board, BoardProps, Words } from "./contract";
import { loadPlugin } from "./plugin";

const BOARDS = import.meta.glob<Component<BoardProps>>("./*/Board.svelte", { import: "default" });
const COVERS = import.meta.glob<Component>("./*/Cover.svelte", { import: "default" });
const WORDS = import.meta.glob<Words>("./*/words.ts", { import: "words" });
const RULES = import.meta.glob<string>("./*/rules.cs.md", { query: "?raw", import: "default" });

/** Load a game's board and words; null if it has none and is played by the list of its moves. */
export async function loadBoard(slug: string): Promise<Board | null> {
  const [board, words] = [BOARDS[`./${slug}/Board.svelte`], WORDS[`./${slug}/words.ts`]];
  if (!board || !words) return loadPlugin(slug);
  const [Component, found] = await Promise.all([board(), words(), loadWords(slug)]);
  await found.load?.();
  return { Component, words: found };
}

/** Load the picture on a game's box; null if it has none. */
export async function loadCover(slug: string): Promise<Component | null> {
  return (await COVERS[`./${slug}/Cover.svelte`]?.()) ?? null;
}

/** Load the words of a game without its board, if they can be had alone. */
export async function loadGameWords(slug: string): Promise<void> {
  await (WORDS[`./${slug}/words.ts`] ? loadWords(slug) : loadPlugin(slug));
}

/** Return a game's rules in Czech; null if there are none. */
export async function czechRules(slug: string): Promise<string | null> {
  return (await RULES[`./${slug}/rules.cs.md`]?.()) ?? null;
}
