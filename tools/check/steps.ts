/** A property of the repository, and the command that checks it. */
export type Step = {
  readonly name: string;
  readonly claim: string;
  readonly command: readonly [string, ...string[]];
};

export const steps: readonly Step[] = [
  // First, because it takes as long as all the others together.
  {
    name: "lint",
    claim: "no floating promise, no forbidden construct",
    command: [
      "node",
      "--max-old-space-size=8192",
      "node_modules/eslint/bin/eslint.js",
      "--max-warnings",
      "0",
      ".",
    ],
  },
  { name: "types", claim: "the code type-checks", command: ["tsc", "-p", "tsconfig.json"] },
  // Separate, because browser code has other globals.
  { name: "pages", claim: "the pages type-check", command: ["tsc", "-p", "apps/web/tsconfig.json"] },
  {
    name: "bench",
    claim: "bench/ type-checks, if its packages are installed",
    command: ["node", "tools/check/own-packages.ts", "bench"],
  },
  {
    name: "agentkit",
    claim: "the example of AgentKit type-checks, if its packages are installed",
    command: ["node", "tools/check/own-packages.ts", "examples/guard-agentkit"],
  },
  {
    name: "format",
    claim: "all files are formatted",
    command: ["prettier", "--check", "--log-level", "warn", "."],
  },
  {
    name: "boundaries",
    claim: "imports keep to the architecture",
    command: [
      "depcruise",
      "--config",
      ".dependency-cruiser.mjs",
      "apps",
      "packages",
      "contracts",
      "tools",
      "bench",
      "examples",
    ],
  },
  { name: "unused", claim: "no unused file, export or dependency", command: ["knip", "--no-config-hints"] },
  {
    name: "generated",
    claim: "generated files are up to date",
    command: ["node", "tools/generate/main.ts", "--check"],
  },
  {
    name: "sdk",
    claim: "every export of the SDK is documented, without a warning",
    // Without source links it needs no git remote.
    command: ["typedoc", "--options", "packages/sdk/typedoc.json", "--disableSources"],
  },
  {
    name: "licences",
    claim: "every dependency has an allowed licence",
    command: ["node", "tools/check/licences.ts"],
  },
  {
    name: "commits",
    claim: "commit messages keep to the convention",
    command: ["node", "tools/check/commits.ts"],
  },
  { name: "voice", claim: "no banned construction in any text", command: ["node", "tools/check/voice.ts"] },
];
