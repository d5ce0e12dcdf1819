import { say, type Values } from "../i18n/i18n.svelte";

/** Return a text about messages to this device. */
export function w(key: string, values: Values = {}): string {
  return say("offline", key, values);
}
