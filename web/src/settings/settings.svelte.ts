/** The settings of this browser. */

const KEY = "shiplog.settings";

export interface Choices {
  language: "cs" | "en";
  theme: "auto" | "light" | "dark";
  /** `auto` follows the system's setting for reduced motion. */
  motion: "auto" | "off";
  /** The sound that calls the player. */
  sound: "off" | "bell" | "horn" | "drop";
  vibrate: boolean;
  /** How fast moves are played back. */
  pace: "slow" | "normal" | "fast";
  /** Whether a move waits for its main button when the board's picks complete it. */
  confirm: boolean;
  /** Whether new kinds of decisions are explained in the first match of a game. */
  coach: boolean;
  /** Whether pages for those who draw boards are shown. */
  developer: boolean;
}

const DEFAULTS: Choices = {
  language: navigator.languages.some((tag) => tag.startsWith("cs")) ? "cs" : "en",
  theme: "auto",
  motion: "auto",
  sound: "off",
  vibrate: false,
  pace: "normal",
  confirm: false,
  coach: true,
  developer: false,
};

function stored(): Choices {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? "{}") as Partial<Choices>;
    // Earlier releases kept whether there is a sound, not which.
    if (typeof kept.sound !== "string") delete kept.sound;
    return { ...DEFAULTS, ...kept };
  } catch {
    return DEFAULTS;
  }
}

const still = matchMedia("(prefers-reduced-motion: reduce)");

class Settings {
  chosen = $state.raw<Choices>(stored());
  #still = $state(still.matches);

  constructor() {
    still.addEventListener("change", () => (this.#still = still.matches));
    this.#show();
  }

  get animated(): boolean {
    return this.chosen.motion === "auto" && !this.#still;
  }

  change(some: Partial<Choices>): void {
    this.chosen = { ...this.chosen, ...some };
    localStorage.setItem(KEY, JSON.stringify(this.chosen));
    this.#show();
  }

  #show(): void {
    const root = document.documentElement;
    root.dataset.theme = this.chosen.theme;
    root.dataset.motion = this.chosen.motion;
    root.lang = this.chosen.language;
  }
}

export const settings = new Settings();
