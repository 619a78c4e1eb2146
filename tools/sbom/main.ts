// npm run sbom: writes dist/sbom.cdx.json with every package that production can install, and prints how many have which licence.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describePackages } from "../images/sbom.ts";
import { countLicences, productionPackages } from "./packages.ts";

const root = join(import.meta.dirname, "../..");
const lockfile = readFileSync(join(root, "package-lock.json"), "utf8");
const manifests = productionPackages(lockfile).map((path) =>
  readFileSync(join(root, path, "package.json"), "utf8"),
);
const sbom = describePackages("countersign", manifests);

mkdirSync(join(root, "dist"), { recursive: true });
writeFileSync(join(root, "dist/sbom.cdx.json"), `${JSON.stringify(sbom, undefined, 2)}\n`);
process.stdout.write(`dist/sbom.cdx.json: ${sbom.components.length} packages\n`);
for (const [licence, count] of countLicences(sbom.components))
  process.stdout.write(`${String(count).padStart(5)}  ${licence}\n`);
