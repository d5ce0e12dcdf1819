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

/** Focus an element that no key leads to. The page stays where it is. */
export function focusOn(target: HTMLElement): void {
  target.tabIndex = -1;
  target.focus({ preventScroll: true });
}

/** Focus what was pressed again if it lost the focus; if it is gone or disabled, what it stood in. */
export function holdFocus(pressed: HTMLElement, around: HTMLElement | null): void {
  const lost = (): boolean => document.activeElement === document.body;
  if (lost()) pressed.focus();
  if (lost() && around) focusOn(around);
}
