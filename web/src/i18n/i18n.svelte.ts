/** Words in Czech and English: one catalogue for the page and one per game, loaded on demand. */
import i18next from "i18next";
import { untrack } from "svelte";
import { settings, type Choices } from "../settings/settings.svelte";

type Language = Choices["language"];
export type Catalogue = Record<string, unknown>;
export type Values = Record<string, string | number | undefined>;

const CLIENT = import.meta.glob<Catalogue>("./*.json", { import: "default" });
const GAMES = import.meta.glob<Catalogue>("../boards/*/{cs,en}.json", { import: "default" });
const PARTS = import.meta.glob<Catalogue>(
  "../{account,inspect,learn,offline,people,programs,puzzles,replay}/{cs,en}.json",
  {
    import: "default",
  },
);
export const LANGUAGES: readonly Language[] = ["cs", "en"];

let loads = $state(0);

/** What `blanks` has found since words were loaded last. */
const blank = new Map<string, ReadonlySet<string> | null>();

/** Load the page's own words. After that `t` may be called. */
export async function start(): Promise<void> {
  await i18next.init({
    lng: settings.chosen.language,
    ns: ["client"],
    defaultNS: "client",
    resources: {},
    interpolation: { escapeValue: false },
    returnNull: false,
  });
  await load("client", settings.chosen.language);
}

/** Change the language, for the loaded games too. */
export async function speak(language: Language): Promise<void> {
  const namespaces = Object.keys(i18next.getDataByLanguage(settings.chosen.language) ?? {});
  await Promise.all(namespaces.map((namespace) => load(namespace, language)));
  await i18next.changeLanguage(language);
  settings.change({ language });
}

/**
 * Load the words of a game or of a part of the page. A game may have no catalogue. What waits for the words does not
 * begin anew with each setting: `speak` loads them in another language.
 */
export async function loadWords(namespace: string): Promise<void> {
  await load(
    namespace,
    untrack(() => settings.chosen.language),
  );
}

async function load(namespace: string, language: Language): Promise<void> {
  if (i18next.hasResourceBundle(language, namespace)) return;
  const source =
    namespace === "client"
      ? CLIENT[`./${language}.json`]
      : (PARTS[`../${namespace}/${language}.json`] ?? GAMES[`../boards/${namespace}/${language}.json`]);
  i18next.addResourceBundle(language, namespace, source ? await source() : {});
  blank.clear();
  loads += 1;
}

/** Add words of a game in a language; those of a later catalogue replace earlier ones. */
export function addWords(
  namespace: string,
  language: Language,
  catalogues: readonly (Catalogue | undefined)[],
): void {
  for (const words of catalogues) i18next.addResourceBundle(language, namespace, words ?? {}, true, true);
  blank.clear();
  loads += 1;
}

/** Return a game's title. */
export function titleOf(
  { slug, titles }: { slug: string; titles: Readonly<Record<string, string>> },
  language: Language = settings.chosen.language,
): string {
  return titles[language] ?? titles.en ?? plain(slug);
}

/** Return a text of the page itself. */
export function t(key: string, values: Values = {}): string {
  return say("client", key, values);
}

/** Return a text of a game, else of the page, else the last part of the key in plain words. */
export function say(namespace: string, key: string, values: Values = {}): string {
  void loads;
  void settings.chosen.language;
  return i18next.t(key, { ...values, ns: [namespace, "client"], defaultValue: plain(key) });
}

/** Return the function for the texts of a part of the page, which are loaded with that part. */
export function wordsOf(part: string): (key: string, values?: Values) => string {
  return (key, values) => say(part, key, values);
}

/** Return a text of a game, else of the page; null if neither has one. */
export function text(namespace: string, key: string, values: Values = {}): string | null {
  void loads;
  void settings.chosen.language;
  const missing = "\0";
  const found = i18next.t(key, { ...values, ns: [namespace, "client"], defaultValue: missing });
  return found === missing ? null : found;
}

/** Return whether there is a text for a key. */
export function known(namespace: string, key: string, values: Values = {}): boolean {
  return text(namespace, key, values) !== null;
}

/**
 * Return the names that the texts of a group whose keys begin so leave blank; null if there are no
 * such texts. Forms of a text are told by endings of its key.
 */
export function blanks(namespace: string, group: string, start: string): ReadonlySet<string> | null {
  void loads;
  const { language } = settings.chosen;
  const key = [language, namespace, group, start].join("\0");
  const known = blank.get(key);
  if (known !== undefined) return known;
  const texts = i18next.getResource(language, namespace, group) as Catalogue | undefined;
  const forms = Object.entries(texts ?? {}).flatMap(([form, words]) =>
    form.startsWith(start) ? [String(words)] : [],
  );
  const names = forms.flatMap((words) => [...words.matchAll(/{{-?\s*(\w+)/g)].map(([, name]) => name ?? ""));
  const found = forms.length > 0 ? new Set(names) : null;
  blank.set(key, found);
  return found;
}

/** Return whether a game has a group of texts, such as those of its events. */
export function hasTexts(namespace: string, group: string): boolean {
  void loads;
  return i18next.getResource(settings.chosen.language, namespace, group) !== undefined;
}

/** Turn an identifier into words: `first_player` is "first player". */
export function plain(key: string): string {
  const words = (key.split(".").at(-1) ?? key).replaceAll(/[_-]/g, " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Remember a format for each language: making one takes longer than using it. */
function perLanguage<Format>(make: (language: Language) => Format): () => Format {
  const made = new Map<Language, Format>();
  return () => {
    const { language } = settings.chosen;
    const format = made.get(language) ?? make(language);
    made.set(language, format);
    return format;
  };
}

const listFormat = perLanguage((language) => new Intl.ListFormat(language, { type: "conjunction" }));
const timeFormat = perLanguage(() => new Intl.DateTimeFormat(locale(), { timeStyle: "short" }));

/** Return the chosen language as the player's browser has it: en-GB writes dates otherwise than en-US. */
export function locale(): string {
  const { language } = settings.chosen;
  return navigator.languages.find((one) => new Intl.Locale(one).language === language) ?? language;
}

/** Join parts as the language does: "a, b and c". */
export function listed(parts: readonly string[]): string {
  return listFormat().format(parts);
}

const MINUTE_S = 60;

/** Write a span of time, in seconds or else in minutes. */
export function lasting(seconds: number): string {
  const inSeconds = seconds < MINUTE_S;
  return new Intl.NumberFormat(settings.chosen.language, {
    style: "unit",
    unit: inSeconds ? "second" : "minute",
    unitDisplay: "short",
    maximumFractionDigits: 1,
  }).format(inSeconds ? seconds : seconds / MINUTE_S);
}

/** Write a share, 0 to 1, as a percentage. */
export function percent(share: number): string {
  return new Intl.NumberFormat(settings.chosen.language, {
    style: "percent",
    maximumFractionDigits: 0,
  }).format(share);
}

/** Write a moment's time of day. */
export function timeOfDay(at: string): string {
  return timeFormat().format(new Date(at));
}

/** Write how long ago a moment was, in the largest unit that fits. */
export function ago(at: string): string {
  const seconds = (Date.parse(at) - Date.now()) / 1000;
  const format = new Intl.RelativeTimeFormat(settings.chosen.language, { numeric: "auto" });
  const units: [Intl.RelativeTimeFormatUnit, number][] = [
    ["day", 86_400],
    ["hour", 3_600],
    ["minute", MINUTE_S],
  ];
  for (const [unit, size] of units) {
    if (Math.abs(seconds) >= size) return format.format(Math.round(seconds / size), unit);
  }
  return format.format(0, "minute");
}

/** A number with at most one decimal. */
export function decimal(value: number): string {
  return new Intl.NumberFormat(settings.chosen.language, { maximumFractionDigits: 1 }).format(value);
}
