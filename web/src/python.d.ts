/** Where Python for browsers is served, its lock file, and the wheel to load (`vite.config.ts`). */
declare const PYTHON: string;
declare const LOCK: string;
declare const WHEEL: string;
