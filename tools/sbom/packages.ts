import { existsSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";

const Lockfile = z.object({
  packages: z.record(z.string(), z.object({ dev: z.boolean().optional(), link: z.boolean().optional() })),
});

const root = join(import.meta.dirname, "../..");

/** Returns the folders of the packages that production may use. Optional ones for other platforms are not installed. */
export const productionPackages = (
  lockfile: string,
  isInstalled = (path: string): boolean => existsSync(join(root, path, "package.json")),
): readonly string[] =>
  Object.entries(Lockfile.parse(JSON.parse(lockfile)).packages)
    .filter(([path, { dev, link }]) => path.includes("node_modules/") && dev !== true && link !== true)
    .map(([path]) => path)
    .filter(isInstalled);

type Licensed = { readonly licenses: readonly { readonly expression: string }[] };

/** Counts packages by licence, the most common first. */
export function countLicences(components: readonly Licensed[]): readonly (readonly [string, number])[] {
  const counts = new Map<string, number>();
  for (const { licenses } of components) {
    const licence = licenses[0]?.expression ?? "not stated in package.json";
    counts.set(licence, (counts.get(licence) ?? 0) + 1);
  }
  return [...counts].sort(([a, first], [b, second]) => second - first || (a < b ? -1 : 1));
}
