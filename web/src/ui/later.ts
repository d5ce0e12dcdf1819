/** Work that need not be done at once. Each piece gets a task of its own, so that taps come in between. */
const queue: (() => void)[] = [];
let running = false;

/** Run a piece of work after all that was given before it. Returns how to cancel that. */
export function later(work: () => void): () => void {
  queue.push(work);
  if (!running) next();
  return () => {
    const at = queue.indexOf(work);
    if (at >= 0) queue.splice(at, 1);
  };
}

function next(): void {
  running = queue.length > 0;
  if (!running) return;
  setTimeout(() => {
    queue.shift()?.();
    next();
  });
}
