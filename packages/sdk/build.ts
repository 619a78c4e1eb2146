// Builds dist/, the published package: each entry as an ES module, their types, and a standalone package.json. viem and
// other peer dependencies stay external, packages/wire is bundled. `node build.ts FOLDER` builds into another folder.
import { execFileSync } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { build } from "vite";

const here = import.meta.dirname;
const dist = resolve(process.argv[2] ?? join(here, "dist"));
type Manifest = Readonly<Record<string, unknown>> & { readonly exports: Readonly<Record<string, string>> };
const manifest = JSON.parse(readFileSync(join(here, "package.json"), "utf8")) as Manifest;

/** The entries by the path of their module below src/, without its extension. */
const modules = Object.entries(manifest.exports).map(
  ([entry, source]) => [entry, source.replace(/^\.\/src\/|\.ts$/g, "")] as const,
);
const entries = Object.fromEntries(modules.map(([, path]) => [path, `src/${path}.ts`]));

async function buildModules(): Promise<void> {
  await build({
    root: here,
    configFile: false,
    logLevel: "warn",
    build: {
      ...{ outDir: dist, emptyOutDir: false, target: "es2022", minify: false, sourcemap: false },
      lib: { entry: entries, formats: ["es"] },
      rolldownOptions: {
        external: [/^(viem|ethers|ai|@langchain\/core)(\/|$)/],
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

function writeManifest(): void {
  const { name, version, license, description, publishConfig, peerDependencies, peerDependenciesMeta } =
    manifest;
  const exported = modules.map(
    ([entry, path]) => [entry, { types: `./types/sdk/src/${path}.d.ts`, default: `./${path}.js` }] as const,
  );
  const published = {
    ...{ name, version, description, license, publishConfig, type: "module", sideEffects: false },
    engines: { node: ">=20.3" },
    exports: { ...Object.fromEntries(exported), "./package.json": "./package.json" },
    ...{ peerDependencies, peerDependenciesMeta },
  };
  writeFileSync(join(dist, "package.json"), `${JSON.stringify(published, null, 2)}\n`);
}

rmSync(dist, { recursive: true, force: true });
mkdirSync(dist, { recursive: true });
await buildModules();
buildTypes();
writeManifest();
// There is no changelog before the first release.
for (const file of ["README.md", "CHANGELOG.md"])
  if (existsSync(join(here, file))) copyFileSync(join(here, file), join(dist, file));
copyFileSync(join(here, "../../LICENSE"), join(dist, "LICENSE"));
