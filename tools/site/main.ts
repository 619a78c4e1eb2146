// npm run build -w tools: the documents and the reference of the SDK as a static site in site/dist. A link that leads nowhere ends it.
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { buildSite } from "./build.ts";
import { buildSdkReference, sdkReference } from "./sdk-reference.ts";

const root = join(import.meta.dirname, "../..");
const target = join(root, "site/dist");

const { files, pages, faults } = buildSite(root);
for (const { source, href, message } of faults) console.error(`${source}: (${href}) ${message}`);
if (faults.length > 0) {
  console.error(`${faults.length} links lead nowhere: no site is built.`);
  process.exit(1);
}
rmSync(target, { recursive: true, force: true });
for (const [path, text] of files) {
  const file = join(target, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
buildSdkReference(root, join(target, dirname(sdkReference)));
console.log(`${pages} pages and the reference of the SDK in site/dist`);
