/** Give the focus back to what lost it because it was disabled, for example while its request is under way. */
export function keepFocus(): void {
  let waiting: HTMLElement | null = null;
  const watch = new MutationObserver((changes) => {
    for (const target of changes.map((change) => change.target as HTMLElement)) {
      const disabled = target.matches(":disabled");
      // The browser takes the focus away only later.
      if (disabled && target === document.activeElement) waiting = target;
      if (disabled || target !== waiting) continue;
      waiting = null;
      if (document.activeElement === document.body) target.focus({ preventScroll: true });
    }
  });
  watch.observe(document.body, { subtree: true, attributeFilter: ["disabled"] });
  document.addEventListener("pointerdown", () => (waiting = null), { capture: true });
}
