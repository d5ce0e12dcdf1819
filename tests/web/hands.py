"""How people act at a page: with the mouse, with a finger, or with the keyboard alone.

Each way presses things and picks from lists, and says how many clicks, taps or keys that took.
"""

from typing import Any, Protocol

from playwright.sync_api import Error, Locator

KEYS_MAX = 200
WAY = """thing => {
  const pressed = document.activeElement;
  if (thing === pressed) return [1, "Enter"];
  if (thing.role === "tab" && thing.tabIndex < 0) return [2, "ArrowRight"];
  const all = selector => [...document.querySelectorAll(selector)];
  const main = document.querySelector(
    ".table .dock :is([data-act], .acts .primary):not(:disabled)");
  if (thing === main) return [1, "a"];
  if (thing === document.querySelector(".table .dock [data-end]:not(:disabled)")) return [1, "e"];
  if (thing.matches("[data-next]")) return [1, "n"];
  const held = all(".table .dock [data-hand] button").indexOf(thing);
  if (held >= 0 && held < 9) return [1, String(held + 1)];
  const between = (places, forward, back) => {
    const to = places.indexOf(thing), at = places.indexOf(pressed);
    if (to < 0) return [];
    const ahead = (to - at + places.length) % places.length || places.length;
    const behind = at < 0 ? places.length - to : places.length - ahead;
    return [ahead <= behind ? [ahead + 1, forward] : [behind + 1, back]];
  };
  const open = document.querySelector("[data-next]") ? [] : all(
    ".table .board [data-open]:not(:disabled)");
  const reached = all("a[href], button:not(:disabled), select, summary, input, [tabindex]")
    .filter(one => one.tabIndex >= 0 && one.checkVisibility({ visibilityProperty: true }));
  const ways = [...between(open, "n", "p"), ...between(reached, "Tab", "Shift+Tab")];
  return ways.sort(([a], [b]) => a - b)[0] ?? [2, "Tab"];
}"""
"""The shortest way to a thing: the number of keys, and the key; if several, Enter is the last."""


class Hand(Protocol):
    """One way to act."""

    def press(self, thing: Locator, **more: Any) -> int:
        """Press a thing."""
        ...

    def choose(self, field: Locator, index: int) -> int:
        """Pick from a list by place."""
        ...


class Mouse:
    """Clicks."""

    def press(self, thing: Locator, **more: Any) -> int:
        thing.click(**more)
        return 1

    def choose(self, field: Locator, index: int) -> int:
        field.select_option(index=index)
        return 2


class Finger(Mouse):
    """Taps."""

    def press(self, thing: Locator, **more: Any) -> int:
        thing.tap(**more)
        return 1


class Keys:
    """Presses keys, as the list of keys offers them, or goes by Tab."""

    def press(self, thing: Locator, **_: Any) -> int:
        found = thing.element_handle()
        found.wait_for_element_state("enabled")
        keys = thing.page.keyboard
        count, key = found.evaluate(WAY)
        if count == 1:
            keys.press(key)
            return 1
        if key == "ArrowRight":
            chosen = thing.locator("xpath=../*[@tabindex='0']")
            return self._reach(chosen, "Tab") + self._reach(thing, key)
        spent = self._reach(thing, key)
        keys.press("Enter")
        return spent + 1

    def choose(self, field: Locator, index: int) -> int:
        count, key = field.evaluate(WAY)
        spent = self._reach(field, key) if count > 1 else 0
        now = int(field.evaluate("field => field.selectedIndex"))
        for _ in range(abs(index - now)):
            field.page.keyboard.press("ArrowDown" if index > now else "ArrowUp")
        return spent + abs(index - now)

    def _reach(self, thing: Locator, key: str) -> int:
        """Press a key until a thing has the focus. Raises `Error` for what can't be reached now."""
        for count in range(KEYS_MAX):
            if thing.evaluate("thing => thing === document.activeElement"):
                return count
            thing.page.keyboard.press(key)
        raise Error(f"not reached by {key}: {thing}")
