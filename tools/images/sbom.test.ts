import { expect, test } from "vitest";
import { describePackages } from "./sbom.ts";

const manifest = (name: string, version: string, license?: string): string =>
  JSON.stringify({ name, version, license });

test("lists each package once, sorted, with its licence", () => {
  const { components } = describePackages("countersign-api", [
    manifest("zod", "4.6.7", "MIT"),
    manifest("@noble/curves", "2.4.0", "MIT"),
    manifest("zod", "4.6.7", "MIT"),
    manifest("zod", "3.0.0"),
  ]);
  expect(components.map(({ purl, licenses }) => [purl, licenses.length])).toEqual([
    ["pkg:npm/%40noble/curves@2.4.0", 1],
    ["pkg:npm/zod@3.0.0", 0],
    ["pkg:npm/zod@4.6.7", 1],
  ]);
});

test("ignores manifests that only set the module type", () => {
  expect(describePackages("x", ['{"type":"module"}']).components).toEqual([]);
});

test("equal packages give equal lists", () => {
  const packages = [manifest("a", "1.0.0"), manifest("b", "1.0.0")];
  expect(describePackages("x", packages)).toEqual(describePackages("x", [...packages].reverse()));
});
