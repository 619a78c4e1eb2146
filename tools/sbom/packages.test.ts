import { expect, test } from "vitest";
import { countLicences, productionPackages } from "./packages.ts";

test("lists installed packages of production, and neither our own nor those for development", () => {
  const lockfile = JSON.stringify({
    packages: {
      "": {},
      "apps/api": {},
      "node_modules/@countersign/api": { link: true },
      "node_modules/vitest": { dev: true },
      "node_modules/zod": {},
      "apps/cli/node_modules/yargs": {},
      "node_modules/node-darwin": {},
    },
  });
  const isInstalled = (path: string): boolean => !path.includes("darwin");
  expect(productionPackages(lockfile, isInstalled)).toEqual([
    "node_modules/zod",
    "apps/cli/node_modules/yargs",
  ]);
});

test("counts licences, the most common first, with those that state none", () => {
  const of = (expression: string) => ({ licenses: [{ expression }] });
  expect(countLicences([of("ISC"), of("MIT"), { licenses: [] }, of("MIT")])).toEqual([
    ["MIT", 2],
    ["ISC", 1],
    ["not stated in package.json", 1],
  ]);
});
