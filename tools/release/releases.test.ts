import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { makeTempDir } from "../testing/temp-dir.ts";
import { checkRelease, readReleases } from "./releases.ts";

let root = "";
function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}
const manifest = { name: "@countersign/sdk", version: "1.2.0", publishConfig: { access: "public" } };
const writeManifest = (more: object = {}): void => {
  write("packages/sdk/package.json", JSON.stringify({ ...manifest, ...more }));
};

beforeEach(() => {
  root = makeTempDir("release");
  writeManifest();
  write("packages/sdk/CHANGELOG.md", "# @countersign/sdk\n\n## 1.2.0\n\n### Minor Changes\n\n- Added it.\n");
  write("packages/wire/package.json", JSON.stringify({ name: "@countersign/wire", version: "1.2.0" }));
  write(".changeset/README.md", "# Changesets\n");
});
afterEach(() => {
  rmSync(root, { recursive: true });
});

const obstaclesOf = (tag: string): readonly string[] => checkRelease(root, tag).obstacles;

test("allows the release of a version with a changelog entry", () => {
  expect(checkRelease(root, "@countersign/sdk@1.2.0")).toEqual({
    release: { name: "@countersign/sdk", version: "1.2.0", folder: "packages/sdk", isPublic: true },
    obstacles: [],
  });
});

describe("refuses the release", () => {
  test.each([
    ["of a package that is not published", "@countersign/wire@1.2.0"],
    ["of an unknown package", "@countersign/other@1.2.0"],
    ["of a tag without a version", "@countersign/sdk"],
    ["of an empty tag", ""],
  ])("%s", (_, tag) => {
    expect(obstaclesOf(tag)).toEqual([`"${tag}" names no package that is published`]);
  });

  test("of another version than the package has", () => {
    expect(obstaclesOf("@countersign/sdk@1.3.0")).toEqual([
      "packages/sdk/package.json has version 1.2.0",
      "packages/sdk/CHANGELOG.md has no entry for 1.3.0",
    ]);
  });

  test("of a private package", () => {
    writeManifest({ private: true });
    expect(obstaclesOf("@countersign/sdk@1.2.0")).toEqual(["packages/sdk/package.json is private"]);
  });

  test("without a changelog", () => {
    rmSync(join(root, "packages/sdk/CHANGELOG.md"));
    expect(obstaclesOf("@countersign/sdk@1.2.0")).toEqual([
      "packages/sdk/CHANGELOG.md has no entry for 1.2.0",
    ]);
  });

  test("if a changeset is pending", () => {
    write(".changeset/one.md", "---\n---\n");
    expect(obstaclesOf("@countersign/sdk@1.2.0")).toEqual([
      ".changeset/one.md is pending: run npm run version",
    ]);
  });
});

test("the repository has two packages for npm", () => {
  expect(readReleases(join(import.meta.dirname, "../..")).map(({ name }) => name)).toEqual([
    "@countersign/cli",
    "@countersign/sdk",
  ]);
});
