/**
 * The font of headings. It is loaded after what the page is opened for, and until then a font of the
 * system stands in. A browser that has it already uses it at once.
 */
const KEY = "shiplog.font";
const root = document.documentElement;

if (localStorage.getItem(KEY) !== null) root.dataset.font = "";

/** Load the font, and use it as soon as it is there. */
export function loadFont(): void {
  if ("font" in root.dataset) return;
  void document.fonts.load("600 1rem Fraunces").then(() => {
    root.dataset.font = "";
    localStorage.setItem(KEY, "1");
  });
}
