// A document that names a package for npm says that it is not published yet, until it is. A reader who installs the name before that
// gets nothing, or a stranger's package.
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readReleases, type Release } from "../release/releases.ts";
import { findDocuments } from "./documents.ts";

const root = join(import.meta.dirname, "../..");
const more = ["docs/llms.txt", ...globSync("{examples/**,clients/*}/README.md", { cwd: root })];
const documents = [...findDocuments(root), ...more].filter((path) => !path.includes("node_modules"));
const releases = readReleases(root);

const mark = /not published\s+yet/i;

/** Returns the complaints about one document. */
function check(text: string, packages: readonly Release[]): readonly string[] {
  const named = packages.filter(({ name }) => new RegExp(`${name}(?![\\w-])`).test(text));
  const missing = named.filter(({ isPublic }) => !isPublic && !mark.test(text));
  const stale = named.filter(
    ({ name, isPublic }) => isPublic && new RegExp(`${name}\\b.{0,40}${mark.source}`, "is").test(text),
  );
  return [
    ...missing.map(({ name }) => `names ${name} without "not published yet"`),
    ...stale.map(({ name }) => `says that ${name} is not published yet`),
  ];
}

const sdk = { name: "@countersign/sdk", version: "1.0.0", folder: "packages/sdk" };

describe("a document", () => {
  test.each([
    ["npm install @countersign/sdk", false, ['names @countersign/sdk without "not published yet"']],
    ['import { guard } from "@countersign/sdk/viem"', false, [/without "not published yet"/]],
    ["`@countersign/sdk` is not published\nyet. npm install @countersign/sdk", false, []],
    ["`@countersign/sdk` is not published yet.", true, ["says that @countersign/sdk is not published yet"]],
    ["npm install @countersign/sdk", true, []],
    ["npm install viem", false, []],
    ["npm install @countersign/sdk-next", false, []],
  ])("that says %j with a public package: %j", (text, isPublic, expected) => {
    const wanted: readonly unknown[] = expected.map((one) =>
      typeof one === "string" ? one : (expect.stringMatching(one) as unknown),
    );
    expect(check(text, [{ ...sdk, isPublic }])).toEqual(wanted);
  });
});

test.each(documents)("%s marks what is not published", (path) => {
  expect(check(readFileSync(join(root, path), "utf8"), releases)).toEqual([]);
});

test("the documents are found", () => {
  expect(documents).toEqual(
    expect.arrayContaining(["README.md", "docs/llms.txt", "docs/guides/use-your-library.md"]),
  );
});

test("package indexes reject an upload of the Python client, and its page says so", () => {
  const manifest = readFileSync(join(root, "clients/python/pyproject.toml"), "utf8");
  expect(manifest).toContain("Private :: Do Not Upload");
  expect(readFileSync(join(root, "clients/python/README.md"), "utf8")).toMatch(/not published/i);
});
