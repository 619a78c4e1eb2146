// Builds dist/, the published package: five entries as ES modules, their types, and a standalone package.json. viem stays
// external, packages/wire is bundled.
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { build } from "vite";

const here = import.meta.dirname;
const dist = join(here, "dist");
const entries = {
  index: "src/index.ts",
  "viem/index": "src/viem/index.ts",
  "receipt/index": "src/receipt/index.ts",
  "report/index": "src/report/index.ts",
  "interop/index": "src/interop/index.ts",
};

async function buildModules(): Promise<void> {
  await build({
    root: here,
    configFile: false,
    logLevel: "warn",
    build: {
      ...{ outDir: dist, emptyOutDir: false, target: "es2022", minify: false, sourcemap: false },
      lib: { entry: entries, formats: ["es"] },
      rolldownOptions: {
        external: [/^viem(\/|$)/],
        // The type declarations contain the doc comments.
        output: {
          comments: { jsdoc: false },
          entryFileNames: "[name].js",
          chunkFileNames: "chunks/[name]-[hash].js",
        },
      },
    },
  });
}

const importPath = /(["'])(\.[^"']*)\.ts\1/g;

/** The declaration files that the types of the entries mention, directly or through others. */
function declarationsOf(types: string): ReadonlySet<string> {
  const found = new Set<string>();
  const waiting = Object.values(entries).map((entry) => join(types, "sdk", entry.replace(/\.ts$/, ".d.ts")));
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (found.has(file)) continue;
    found.add(file);
    for (const [, , path = ""] of readFileSync(file, "utf8").matchAll(importPath))
      waiting.push(join(dirname(file), `${path}.d.ts`));
  }
  return found;
}

/** Types of all modules that the entries mention. They must not import our other packages, which users cannot resolve. */
function buildTypes(): void {
  const compiler = join(
    dirname(createRequire(import.meta.url).resolve("typescript/package.json")),
    "bin/tsc",
  );
  const config = join(dist, "tsconfig.json");
  const compilerOptions = {
    ...{ noEmit: false, declaration: true, emitDeclarationOnly: true, rewriteRelativeImportExtensions: true },
    ...{ rootDir: join(here, ".."), outDir: join(dist, "types"), allowImportingTsExtensions: false },
    ...{ lib: ["ES2024", "DOM", "DOM.Iterable"] },
  };
  const files = Object.values(entries).map((entry) => join(here, entry));
  writeFileSync(
    config,
    JSON.stringify({ extends: join(here, "../../tsconfig.json"), compilerOptions, files, include: [] }),
  );
  execFileSync(process.execPath, [compiler, "-p", config], { stdio: "inherit" });
  rmSync(config);
  rmSync(join(dist, "types/wire"), { recursive: true, force: true });
  const mentioned = declarationsOf(join(dist, "types"));
  for (const file of readdirSync(join(dist, "types"), { recursive: true, encoding: "utf8" })) {
    if (!file.endsWith(".d.ts")) continue;
    if (!mentioned.has(join(dist, "types", file))) {
      rmSync(join(dist, "types", file));
      continue;
    }
    const text = readFileSync(join(dist, "types", file), "utf8");
    if (text.includes("@countersign/wire"))
      throw new Error(`${file} mentions a package that is not published`);
    // The compiler rewrites import paths in code but not in types.
    writeFileSync(join(dist, "types", file), text.replace(importPath, "$1$2.js$1"));
  }
}

type Manifest = Readonly<Record<string, unknown>>;

function writeManifest(): void {
  const { name, version, license, description, peerDependencies, peerDependenciesMeta } = JSON.parse(
    readFileSync(join(here, "package.json"), "utf8"),
  ) as Manifest;
  const entry = (path: string) => ({
    types: `./types/sdk/src/${path}.d.ts`,
    default: `./${path}.js`,
  });
  const manifest = {
    ...{ name, version, description, license, type: "module", sideEffects: false },
    engines: { node: ">=20.3" },
    exports: {
      ".": entry("index"),
      "./viem": entry("viem/index"),
      "./receipt": entry("receipt/index"),
      "./report": entry("report/index"),
      "./interop": entry("interop/index"),
      "./package.json": "./package.json",
    },
    ...{ peerDependencies, peerDependenciesMeta },
  };
  writeFileSync(join(dist, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
}

rmSync(dist, { recursive: true, force: true });
mkdirSync(dist);
await buildModules();
buildTypes();
writeManifest();
copyFileSync(join(here, "README.md"), join(dist, "README.md"));
copyFileSync(join(here, "../../LICENSE"), join(dist, "LICENSE"));
