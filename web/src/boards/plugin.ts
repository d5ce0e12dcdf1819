/** Games of other packages: their words, and a board as an ES module from the service. */
import { api, body, Refusal } from "../api/client";
import { persist } from "../api/retry";
import type { GameDetail } from "../api/types";
import { addWords, LANGUAGES, titleOf, type Catalogue } from "../i18n/i18n.svelte";
import type { Board, BoardProps, Words } from "./contract";
import Plugin from "./Plugin.svelte";

/** What a mounted board gets: plain values and functions, nothing of Svelte. */
export type PluginProps = Omit<BoardProps, "orders" | "mount">;

/** A board in its place on the page. */
export interface Mounted {
  /** Show other props: after each record, and when the language or a setting changes. */
  update(props: PluginProps): void;
  destroy(): void;
}

export type Mount = (target: HTMLElement, props: PluginProps) => Mounted;

/** What the module of a board exports: `mount`, and names for values as far as it needs them. */
interface PluginModule extends Words {
  readonly mount: Mount;
  /** The texts by language, with the keys of a catalogue of the page; English where one lacks. */
  readonly words?: Readonly<Record<string, Catalogue>>;
}

/** Load a game's words and board; null if it is played by the list of its moves. */
export async function loadPlugin(slug: string): Promise<Board | null> {
  const game = await detail(slug);
  const module = game?.board ? await imported(game.board) : null;
  for (const language of LANGUAGES) {
    const title = titleOf({ slug, titles: game?.titles ?? {} }, language);
    addWords(slug, language, [{ title }, module?.words?.en, module?.words?.[language]]);
  }
  return module && { Component: Plugin, words: module, mount: module.mount };
}

/** Return a game; null if the service no longer offers it. */
async function detail(slug: string): Promise<GameDetail | null> {
  try {
    return await persist(() => body(api.GET("/games/{slug}", { params: { path: { slug } } })), {
      tries: Infinity,
    });
  } catch (error) {
    if (error instanceof Refusal && error.status === 404) return null;
    throw error;
  }
}

/** Import a board's module; null if it is broken, which its author finds in the console. */
async function imported(address: string): Promise<PluginModule | null> {
  try {
    return (await import(/* @vite-ignore */ address)) as PluginModule;
  } catch (error) {
    reportError(error);
    return null;
  }
}
