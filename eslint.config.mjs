import js from "@eslint/js";
import hooks from "eslint-plugin-react-hooks";
import { existsSync } from "node:fs";
import { join } from "node:path";
import tseslint from "typescript-eslint";

// A rule that is not obvious carries a message that says which bug it prevents and what to do instead.
const banned = {
  environment: {
    selector: "MemberExpression[object.name='process'][property.name='env']",
    message: "The environment is read once, in config.ts, and passed on as an argument.",
  },
  now: {
    selector:
      "CallExpression[callee.object.name='Date'][callee.property.name='now'], NewExpression[callee.name='Date'][arguments.length=0]",
    message: "Time comes from a Clock (@countersign/platform/clock), so that a test can hold it still.",
  },
  random: {
    selector: "CallExpression[callee.object.name='Math'][callee.property.name='random']",
    message: "Math.random is neither secret nor reproducible. Ids come from @countersign/platform/ids.",
  },
  network: {
    selector: "CallExpression[callee.name='fetch']",
    message: "Only adapters/ talks to the network. Write or use an adapter and pass it in.",
  },
  sql: {
    selector: "TaggedTemplateExpression[tag.name='sql'], CallExpression[callee.property.name='query']",
    message: "SQL lives in store.ts (or store/), where all of a slice's statements can be read together.",
  },
};

const budgets = {
  "max-lines": ["error", { max: 300, skipBlankLines: true, skipComments: true }],
  "max-lines-per-function": ["error", { max: 50, skipBlankLines: true, skipComments: true }],
  "max-params": ["error", 4],
  "max-depth": ["error", 3],
  complexity: ["error", 12],
};

export default tseslint.config(
  { ignores: ["**/node_modules", "**/dist", "**/.data", "contracts/out"] },
  { ignores: ["contracts/abi", "packages/sdk/src/generated"] },
  // A package outside the workspaces, whose dependencies are not installed (docs/decisions/0013).
  { ignores: ["tools/validator-facts"] },
  js.configs.recommended,
  tseslint.configs.strictTypeChecked,
  tseslint.configs.stylisticTypeChecked,
  {
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      ...budgets,
      "no-console": "error",
      "no-warning-comments": ["error", { terms: ["todo", "fixme", "xxx"], location: "anywhere" }],
      "@typescript-eslint/consistent-type-definitions": ["error", "type"],
      "@typescript-eslint/explicit-module-boundary-types": "error",
      "@typescript-eslint/no-non-null-assertion": "error",
      "@typescript-eslint/switch-exhaustiveness-check": "error",
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
      "@typescript-eslint/require-await": "off",
      "@typescript-eslint/no-meaningless-void-operator": "off",
      "@typescript-eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_", varsIgnorePattern: "^_" }],
    },
  },
  {
    files: ["apps/*/src/**/*.{ts,tsx}", "packages/*/src/**/*.ts"],
    ignores: ["**/*.test.ts"],
    rules: { "no-restricted-syntax": ["error", ...Object.values(banned)] },
  },
  {
    files: ["**/store.ts", "**/store/**/*.ts", "apps/api/src/platform/db/**/*.ts"],
    rules: {
      "no-restricted-syntax": ["error", banned.environment, banned.now, banned.random, banned.network],
    },
  },
  {
    // A list of endpoints is as long as there are endpoints.
    files: ["**/routes.ts", "**/routes.*.ts"],
    rules: { "max-lines-per-function": "off" },
  },
  {
    // A store is a list of statements, and its type is what they return.
    files: ["**/store.ts", "**/store/**/*.ts"],
    rules: { "max-lines-per-function": "off", "@typescript-eslint/explicit-module-boundary-types": "off" },
  },
  {
    files: ["**/adapters/**/*.ts", "packages/platform/src/{engine,ipfs}/**/*.ts"],
    rules: { "no-restricted-syntax": ["error", banned.environment, banned.now, banned.random, banned.sql] },
  },
  {
    // The places whose job it is: the process reads its environment, the clock reads the time.
    files: ["apps/*/src/main.ts", "apps/*/src/{register,admin,replay}.ts", "packages/platform/src/clock.ts"],
    rules: { "no-restricted-syntax": "off" },
  },
  {
    // They run at their user's: the network, the clock and the environment there are what they are for.
    files: ["packages/sdk/src/**/*.ts", "apps/cli/src/**/*.ts"],
    rules: { "no-restricted-syntax": "off" },
  },
  {
    // Pages get time and network access from lib/. Half of a component is markup, so functions may be longer.
    files: ["apps/web/src/**/*.tsx"],
    plugins: { "react-hooks": hooks },
    rules: {
      "max-lines-per-function": ["error", { max: 80, skipBlankLines: true, skipComments: true }],
      "react-hooks/rules-of-hooks": "error",
      "react-hooks/exhaustive-deps": "error",
    },
  },
  { files: ["apps/web/src/lib/**/*.ts"], rules: { "no-restricted-syntax": "off" } },
  {
    // A query is what its options say, and its type follows from them.
    files: ["apps/web/src/{features,components,lib}/**/*.ts"],
    rules: { "@typescript-eslint/explicit-module-boundary-types": "off" },
  },
  {
    files: ["tools/**/*.ts", "examples/**/*.ts", "contracts/**/*.ts", "apps/web/e2e/**/*.ts", "**/*.mjs"],
    rules: { "no-console": "off" },
  },
  {
    files: [
      "**/*.test.ts",
      "{apps,packages}/*/test/**/*.ts",
      "tools/testing/**/*.ts",
      "tools/**/testing.ts",
      "apps/web/e2e/flows/*.ts",
    ],
    rules: {
      "max-lines-per-function": "off",
      "max-lines": "off",
      "no-console": "off",
      "@typescript-eslint/explicit-module-boundary-types": "off",
    },
  },
  {
    // The functions of an attack or a recipe get their types from the list they are in.
    files: ["bench/**/*.ts"],
    rules: { "no-console": "off", "@typescript-eslint/explicit-module-boundary-types": "off" },
  },
  // Without the types of packages of their own, rules that need types report every call of one.
  ...["bench", "examples/guard-agentkit"]
    .filter((folder) => !existsSync(join(import.meta.dirname, folder, "node_modules")))
    .map((folder) => ({ files: [`${folder}/**/*.ts`], extends: [tseslint.configs.disableTypeChecked] })),
  { files: ["**/*.mjs", "apps/cli/bin/*.js"], extends: [tseslint.configs.disableTypeChecked] },
);
