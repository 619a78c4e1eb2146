import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, rmSync, symlinkSync, writeFileSync, appendFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeTempDir } from "../testing/temp-dir.ts";
import { steps } from "./steps.ts";
import { validatorPlants } from "./validator-plants.ts";
import { plantedMessage, voicePlants } from "./voice/plants.ts";

// `npm run check` turns red for each of these: a fault is planted in a copy of the repository and must be caught.
const root = join(import.meta.dirname, "../..");
let copy: string;

beforeAll(() => {
  copy = makeTempDir("plants");
  spawnSync("git", ["init", "--quiet"], { cwd: copy });
  const files = spawnSync("git", ["ls-files", "-co", "--exclude-standard"], {
    cwd: root,
    encoding: "utf8",
  }).stdout;
  for (const file of files.split("\n").filter((name) => name !== "")) {
    mkdirSync(dirname(join(copy, file)), { recursive: true });
    cpSync(join(root, file), join(copy, file));
  }
  // The packages as they are, but our own workspaces from the copy, or the tools would look at the originals.
  cpSync(join(root, "node_modules/.bin"), join(copy, "node_modules/.bin"), {
    recursive: true,
    verbatimSymlinks: true,
  });
  const entries = spawnSync("ls", [join(root, "node_modules")], { encoding: "utf8" }).stdout.split("\n");
  for (const name of entries.filter(
    (entry) => entry !== "" && entry !== "@countersign" && entry !== "react-native-webrtc",
  ))
    symlinkSync(join(root, "node_modules", name), join(copy, "node_modules", name));
  cpSync(join(root, "node_modules/@countersign"), join(copy, "node_modules/@countersign"), {
    recursive: true,
    verbatimSymlinks: true,
  });
});
afterAll(() => {
  rmSync(copy, { recursive: true, force: true });
});

type Found = { readonly passed: boolean; readonly output: string };

function run(program: string, args: readonly string[]): Found {
  const { status, stdout, stderr } = spawnSync(program, [...args], { cwd: copy, encoding: "utf8" });
  return { passed: status === 0, output: stdout + stderr };
}

const check = (step: string): Found => run("npm", ["run", "--silent", "check", "--", step]);

/** Runs the command of the check on these files only: on all files it takes minutes, and `npm run check` already does that. */
function lint(files: readonly string[]): Found {
  const [program = "", ...args] = steps.find(({ name }) => name === "lint")?.command ?? [];
  return run(join(copy, "node_modules/.bin", program), [...args.filter((arg) => arg !== "."), ...files]);
}

function whilePlanted<T>(files: Readonly<Record<string, string>>, look: () => T): T {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(copy, path)), { recursive: true });
    writeFileSync(join(copy, path), content);
  }
  try {
    return look();
  } finally {
    for (const path of Object.keys(files)) rmSync(join(copy, path));
  }
}

const aSlice = {
  "apps/api/src/planted/inside.ts": "export const secret = 1;\n",
  "apps/api/src/planted/index.ts": 'export { secret } from "./inside.ts";\n',
};

const plants: readonly {
  readonly fault: string;
  readonly step: string;
  readonly says: string;
  readonly files: Readonly<Record<string, string>>;
}[] = [
  {
    fault: "a slice that imports another's inside",
    step: "boundaries",
    says: "slices-meet-at-the-door: apps/api/src/health/nosy.ts → apps/api/src/planted/inside.ts",
    files: { ...aSlice, "apps/api/src/health/nosy.ts": 'export { secret } from "../planted/inside.ts";\n' },
  },
  {
    fault: "a database import outside a store",
    step: "boundaries",
    says: "only-stores-touch-the-database: apps/api/src/health/reader.ts",
    files: {
      "apps/api/src/health/reader.ts": 'import { sql } from "kysely";\nexport const one = sql`select 1`;\n',
    },
  },
  {
    fault: "SQL outside a store",
    step: "lint",
    says: "SQL lives in store.ts (or store/)",
    files: {
      "apps/api/src/health/reader.ts": 'import { sql } from "kysely";\n\nexport const one = sql`select 1`;\n',
    },
  },
  {
    fault: "an app that imports an app",
    step: "boundaries",
    says: "apps-are-islands: apps/validator/src/borrowed.ts → apps/api/src/config.ts",
    files: { "apps/validator/src/borrowed.ts": 'export { Config } from "../../api/src/config.ts";\n' },
  },
  {
    fault: "a floating promise",
    step: "lint",
    says: "no-floating-promises",
    files: {
      "apps/api/src/health/careless.ts":
        "const later = async (): Promise<void> => {};\n\nexport const careless = (): void => {\n  later();\n};\n",
    },
  },
  {
    fault: "an undocumented export of the SDK",
    step: "sdk",
    says: "planted.undocumented",
    files: { "packages/sdk/src/planted/index.ts": "export const undocumented = 1;\n" },
  },
  {
    fault: "an unused export",
    step: "unused",
    says: "neverUsed",
    files: {
      "apps/api/src/health/leftover.ts": "export const used = 1;\nexport const neverUsed = 2;\n",
      "apps/api/src/health/routes.extra.test.ts": 'import { used } from "./leftover.ts";\nvoid used;\n',
    },
  },
  {
    fault: "the HTTP framework beyond a route file",
    step: "boundaries",
    says: "only-routes-know-http: apps/api/src/health/framework.ts",
    files: { "apps/api/src/health/framework.ts": 'export { ok } from "@countersign/platform/http";\n' },
  },
  {
    fault: "a network module outside an adapter",
    step: "boundaries",
    says: "only-adapters-talk-to-the-network: apps/api/src/health/caller.ts → https",
    files: { "apps/api/src/health/caller.ts": 'export { get } from "node:https";\n' },
  },
  {
    fault: "fetch outside an adapter",
    step: "lint",
    says: "Only adapters/ talks to the network",
    files: {
      "apps/api/src/health/caller.ts": 'export const call = (): Promise<Response> => fetch("http://x");\n',
    },
  },
  {
    fault: "a product that leans on a tool",
    step: "boundaries",
    says: "products-know-no-tool: apps/api/src/health/tooled.ts → tools/engines/ports.ts",
    files: {
      "apps/api/src/health/tooled.ts": 'export { freePorts } from "../../../../tools/engines/ports.ts";\n',
    },
  },
  {
    fault: "a feature of the pages that leans on another",
    step: "boundaries",
    says: "features-stand-side-by-side: apps/web/src/features/home/nosy.ts → apps/web/src/features/try/planted.ts",
    files: {
      "apps/web/src/features/try/planted.ts": "export const planted = 1;\n",
      "apps/web/src/features/home/nosy.ts": 'export { planted } from "../try/planted.ts";\n',
    },
  },
  {
    fault: "a component that knows a feature",
    step: "boundaries",
    says: "components-know-no-feature: apps/web/src/components/nosy.ts → apps/web/src/features/try/planted.ts",
    files: { "apps/web/src/components/nosy.ts": 'export { planted } from "../features/try/planted.ts";\n' },
  },
  {
    fault: "a page that takes code from its server",
    step: "boundaries",
    says: "pages-and-their-server-meet-on-the-wire: apps/web/src/lib/borrowed.ts → apps/web/src/config.ts",
    files: { "apps/web/src/lib/borrowed.ts": 'export { Config } from "../config.ts";\n' },
  },
  {
    fault: "an import that cannot be resolved",
    step: "boundaries",
    says: "resolves: apps/api/src/health/lost.ts",
    files: { "apps/api/src/health/lost.ts": 'export { nothing } from "./nowhere.ts";\n' },
  },
  {
    fault: "a product that depends on a test harness",
    step: "boundaries",
    says: "only-tests-use-test-builders: apps/validator/src/harnessed.ts → apps/validator/test/entail.ts",
    files: { "apps/validator/src/harnessed.ts": 'export * from "../test/entail.ts";\n' },
  },
  {
    fault: "a package that imports an app",
    step: "boundaries",
    says: "packages-know-no-app: packages/wire/src/borrowed.ts → apps/validator/src/intent.ts",
    files: {
      "packages/wire/src/borrowed.ts":
        'export type { Intent } from "../../../apps/validator/src/intent.ts";\n',
    },
  },
  {
    fault: "an execution that reads a file",
    step: "boundaries",
    says: "evm-does-no-io: packages/evm/src/reading.ts → fs",
    files: { "packages/evm/src/reading.ts": 'export { readFileSync } from "node:fs";\n' },
  },
  {
    fault: "two files that import each other",
    step: "boundaries",
    says: "no-cycles: apps/api/src/health/one.ts",
    files: {
      "apps/api/src/health/one.ts": 'export { two } from "./two.ts";\nexport const one = 1;\n',
      "apps/api/src/health/two.ts": 'export { one } from "./one.ts";\nexport const two = 2;\n',
    },
  },
  {
    fault: "an adapter that imports a slice",
    step: "boundaries",
    says: "ground-floor-knows-no-slice: apps/api/src/adapters/nosy.ts → apps/api/src/planted/index.ts",
    files: { ...aSlice, "apps/api/src/adapters/nosy.ts": 'export { secret } from "../planted/index.ts";\n' },
  },
  {
    fault: "a service that bypasses the exports of the platform",
    step: "boundaries",
    says: "platform-is-entered-by-its-doors: apps/api/src/health/bypass.ts → packages/platform/src/log/fields.ts",
    files: {
      "apps/api/src/health/bypass.ts": 'export * from "../../../../packages/platform/src/log/fields.ts";\n',
    },
  },
  {
    fault: "a development dependency in production",
    step: "boundaries",
    says: "no-development-dependency-in-production: apps/api/src/health/compiled.ts",
    files: { "apps/api/src/health/compiled.ts": 'export { assert } from "fast-check";\n' },
  },
  {
    fault: "a benchmark that imports the code it measures",
    step: "boundaries",
    says: "the-bench-shares-no-code: bench/borrowed.ts → apps/validator/src/intent.ts",
    files: { "bench/borrowed.ts": 'export type { Intent } from "../apps/validator/src/intent.ts";\n' },
  },
  ...validatorPlants.map((plant) => ({ ...plant, step: "boundaries" })),
  ...voicePlants.map((plant) => ({ ...plant, step: "voice" })),
];

/** All faults of a check are planted together and looked for in one run; each names its own file. */
const runs = new Map<string, Found>();
function checkWithPlants(step: string): Found {
  const files = Object.assign(
    {},
    ...plants.filter((plant) => plant.step === step).map((plant) => plant.files),
  ) as Record<string, string>;
  const look = () => (step === "lint" ? lint(Object.keys(files)) : check(step));
  const found = runs.get(step) ?? whilePlanted(files, look);
  runs.set(step, found);
  return found;
}

describe("npm run check", () => {
  test.each(plants)("catches $fault", ({ step, says }) => {
    const { passed, output } = checkWithPlants(step);
    expect(output).toContain(says);
    expect(passed).toBe(false);
  });

  test("catches a banned construction in a commit message", () => {
    const program = join(root, "node_modules/.bin/commitlint");
    const { message, says } = plantedMessage;
    const { status, stdout } = spawnSync(program, { cwd: root, encoding: "utf8", input: message });
    expect(stdout).toContain(says);
    expect(status).toBe(1);
  });

  test("catches generated files that are out of date", () => {
    appendFileSync(join(copy, "docs/reference/routes.md"), "\nEdited by hand.\n");
    const { passed, output } = check("generated");
    cpSync(join(root, "docs/reference/routes.md"), join(copy, "docs/reference/routes.md"));
    expect(output).toContain("docs/reference/routes.md is out of date");
    expect(passed).toBe(false);
  });
});
