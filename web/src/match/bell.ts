/** Call the player: a short sound, and a notification if the page is hidden. */
import { t } from "../i18n/i18n.svelte";
import { push } from "../offline/push.svelte";
import { router } from "../router.svelte";
import { settings } from "../settings/settings.svelte";

/** The tones of each sound (Hz). */
const SOUNDS = { bell: [523.25, 783.99], horn: [196, 196], drop: [1046.5, 698.46, 523.25] } as const;
const TONE_S = 0.16;
const BUZZ_MS = 120;

export function ring(match: string): void {
  const { sound, vibrate } = settings.chosen;
  if (sound !== "off") play(SOUNDS[sound]);
  if (vibrate && navigator.userActivation.hasBeenActive) navigator.vibrate(BUZZ_MS);
  if (
    document.hidden &&
    push.kept === null &&
    "Notification" in window &&
    Notification.permission === "granted"
  ) {
    const note = new Notification(t("turns.yours"), { tag: match });
    note.onclick = () => {
      window.focus();
      router.go(`/match/${match}`);
    };
  }
}

/** Play soft tones. Browsers keep a page silent until the player has touched it. */
function play(tones: readonly number[]): void {
  if (!navigator.userActivation.hasBeenActive) return;
  const audio = new AudioContext();
  const volume = new GainNode(audio, { gain: 0.06 });
  volume.connect(audio.destination);
  tones.forEach((frequency, index) => {
    const tone = new OscillatorNode(audio, { frequency, type: "sine" });
    tone.connect(volume);
    tone.start(audio.currentTime + index * TONE_S);
    tone.stop(audio.currentTime + (index + 1) * TONE_S);
    if (index === tones.length - 1) tone.onended = () => void audio.close();
  });
}
