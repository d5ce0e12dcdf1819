/** Scroll the page as little as it takes to show an element. */
export function bringIntoView(element: Element): void {
  element.scrollIntoView({ block: "nearest" });
}
