/** Call the player: a short sound, and a notification if the page is hidden. */
import { t } from "../i18n/i18n.svelte";
import { router } from "../router.svelte";
import { settings } from "../settings/settings.svelte";

const TONES_HZ = [523.25, 783.99];
const TONE_S = 0.16;

export function ring(match: string): void {
  if (settings.chosen.sound) sound();
  if (document.hidden && "Notification" in window && Notification.permission === "granted") {
    const note = new Notification(t("turns.yours"), { tag: match });
    note.onclick = () => {
      window.focus();
      router.go(`/match/${match}`);
    };
  }
}

/** Play two soft tones. Browsers keep a page silent until the player has touched it. */
function sound(): void {
  if (!navigator.userActivation.hasBeenActive) return;
  const audio = new AudioContext();
  const volume = new GainNode(audio, { gain: 0.06 });
  volume.connect(audio.destination);
  TONES_HZ.forEach((frequency, index) => {
    const tone = new OscillatorNode(audio, { frequency, type: "sine" });
    tone.connect(volume);
    tone.start(audio.currentTime + index * TONE_S);
    tone.stop(audio.currentTime + (index + 1) * TONE_S);
    if (index === TONES_HZ.length - 1) tone.onended = () => void audio.close();
  });
}
