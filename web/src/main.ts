import { mount } from "svelte";
import App from "./App.svelte";
import "./ui/base.css";
import { start } from "./i18n/i18n.svelte";
import { loadFirst } from "./pages";
import { keepFocus } from "./ui/focus";

const target = document.getElementById("app");
if (!target) throw new Error("the page has no #app");
// The page asks again for a part that did not come, and says so if it does not come either.
await Promise.all([start(), loadFirst().catch(() => undefined)]);
mount(App, { target });
keepFocus();
