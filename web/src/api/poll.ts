/** Look now, then every so often while the page is visible, or always. Returns how to stop. */
export function poll(look: () => unknown, everyMs: number, { hidden = false } = {}): () => void {
  void look();
  const timer = setInterval(() => {
    if (hidden || !document.hidden) void look();
  }, everyMs);
  return () => {
    clearInterval(timer);
  };
}
