import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";

const SERVICE = process.env.SHIPLOG_URL ?? "http://127.0.0.1:8000";
const CALLS = [
  "/games",
  "/players",
  "/matches",
  "/standings",
  "/jobs",
  "/replays",
  "/keys",
  "/health",
  "/schema",
];

export default defineConfig({
  plugins: [svelte()],
  build: { target: "es2022", assetsInlineLimit: 0, manifest: true },
  server: { proxy: Object.fromEntries(CALLS.map((call) => [call, SERVICE])) },
});
