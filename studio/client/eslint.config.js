import js from "@eslint/js";
import tseslint from "typescript-eslint";

/** Folders of `src` and what each may import. Panels, timeline, viewport and shell meet in core, never directly; the
 * viewer is a page of its own around the viewport. */
const LAYERS = {
  core: [],
  widgets: ["core"],
  timeline: ["core", "widgets"],
  viewport: ["core", "widgets"],
  viewer: ["core", "widgets", "viewport"],
  panels: ["core", "widgets"],
  shell: ["core", "widgets"],
};

/** Forbid imports of every folder of `src` that a layer may not use. */
function layerRule([layer, below]) {
  const others = Object.keys(LAYERS).filter((name) => name !== layer && !below.includes(name));
  return {
    files: [`src/${layer}/**/*.ts`],
    ignores: layer === "panels" ? ["src/panels/*/**"] : [],
    rules: { "no-restricted-imports": ["error", { patterns: [forbidden(layer, others)] }] },
  };
}

/** The same inside a panel's own folder, which may not import another panel's either. */
function panelRule() {
  const others = Object.keys(LAYERS).filter((name) => !["core", "widgets", "panels"].includes(name));
  const sibling = {
    regex: "^\\.\\./(?!\\.\\./)",
    message: "A panel does not import another panel: what they share belongs in core or widgets.",
  };
  return {
    files: ["src/panels/*/**/*.ts"],
    rules: { "no-restricted-imports": ["error", { patterns: [forbidden("panels", others), sibling] }] },
  };
}

function forbidden(layer, others) {
  return {
    regex: `^(\\.\\./)+(${others.join("|")})(/|$)`,
    message: `src/${layer} may not import this folder; see LAYERS in eslint.config.js.`,
  };
}

export default tseslint.config(
  { ignores: ["node_modules", "src/core/messages.ts", "src/core/options.ts"] },
  js.configs.recommended,
  {
    files: ["**/*.ts"],
    extends: [tseslint.configs.recommendedTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      eqeqeq: "error",
      "@typescript-eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_", varsIgnorePattern: "^_" }],
    },
  },
  ...Object.entries(LAYERS).map(layerRule),
  panelRule(),
);
