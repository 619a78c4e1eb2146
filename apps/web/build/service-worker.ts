// Adds the service worker to the build. It is no entry of the bundle: two entries share code in chunks, which a service worker
// cannot import, and pages would load more files.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { minify, transformWithOxc, type Plugin } from "vite";

const source = join(import.meta.dirname, "../src/service-worker.ts");
/** At the root, so that its scope is every page, and under one name, so that browsers find a new version. */
const fileName = "service-worker.js";

export function serviceWorker(): Plugin {
  return {
    name: "service-worker",
    apply: "build",
    buildStart() {
      this.addWatchFile(source);
    },
    async generateBundle() {
      const { code } = await transformWithOxc(readFileSync(source, "utf8"), source);
      const { code: small } = await minify(fileName, code);
      this.emitFile({ type: "asset", fileName, source: small });
    },
  };
}
