/** Words about messages to this device, and about the page without a connection. */
import { wordsOf } from "../i18n/i18n.svelte";

export const w = wordsOf("offline");
