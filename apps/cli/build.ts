// Builds dist/, the published package: its modules as they are in src/, the data that they read, and a package.json of its own.
import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "vite";

const here = import.meta.dirname;
const dist = join(here, "dist");
type Manifest = Readonly<Record<string, unknown>>;
const { name, version, description, license, publishConfig, bin, dependencies } = JSON.parse(
  readFileSync(join(here, "package.json"), "utf8"),
) as Manifest;

rmSync(dist, { recursive: true, force: true });
await build({
  root: here,
  configFile: false,
  logLevel: "warn",
  build: {
    // `bin/countersign.js` looks for it there.
    outDir: join(dist, "dist"),
    ssr: "src/main.ts",
    target: "node24",
    minify: false,
    rolldownOptions: {
      external: /^[^./]/,
      output: { preserveModules: true, preserveModulesRoot: join(here, "src"), entryFileNames: "[name].js" },
    },
  },
});
// Read or started as files.
for (const file of ["known-servers", "redirect-rpc.mjs"])
  cpSync(join(here, "src/mcp-proxy", file), join(dist, "dist/mcp-proxy", file), { recursive: true });
// There is no changelog before the first release.
for (const file of ["bin", "README.md", "CHANGELOG.md"])
  if (existsSync(join(here, file))) cpSync(join(here, file), join(dist, file), { recursive: true });
cpSync(join(here, "../../LICENSE"), join(dist, "LICENSE"));
const published = {
  ...{ name, version, description, license, publishConfig, type: "module", bin },
  ...{ engines: { node: ">=24" }, dependencies },
};
writeFileSync(join(dist, "package.json"), `${JSON.stringify(published, null, 2)}\n`);
