import svelte from "eslint-plugin-svelte";
import globals from "globals";
import ts from "typescript-eslint";

export default ts.config(
  { ignores: ["dist", "node_modules"] },
  ...ts.configs.strict,
  ...ts.configs.stylistic,
  ...svelte.configs.recommended,
  { languageOptions: { globals: globals.browser } },
  {
    files: ["**/*.svelte", "**/*.svelte.ts"],
    languageOptions: { parserOptions: { parser: ts.parser } },
  },
  {
    rules: {
      "@typescript-eslint/consistent-type-definitions": ["error", "interface"],
      // The router reads every click on a link of our own: there is no framework to resolve paths for.
      "svelte/no-navigation-without-resolve": "off",
      // What the page shows is replaced, never changed in place.
      "svelte/prefer-svelte-reactivity": "off",
    },
  },
);
