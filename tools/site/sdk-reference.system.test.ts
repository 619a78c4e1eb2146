import { existsSync, globSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeTempDir } from "../testing/temp-dir.ts";
import { buildSdkReference } from "./sdk-reference.ts";

const root = join(import.meta.dirname, "../..");
const target = makeTempDir("sdk-reference");
const read = (path: string): string => readFileSync(join(target, path), "utf8");

beforeAll(() => {
  buildSdkReference(root, target);
});
afterAll(() => {
  rmSync(target, { recursive: true, force: true });
});

test("has a page for every entry of the package", () => {
  const { exports } = JSON.parse(readFileSync(join(root, "packages/sdk/package.json"), "utf8")) as {
    exports: Record<string, string>;
  };
  const entries = Object.values(exports).map((file) =>
    file.replace(/^\.\/src\/|\/?index\.ts$/g, "").replaceAll("/", "_"),
  );
  const modules = entries.map((entry) => `modules/${entry === "" ? "index" : entry}.html`);
  expect(modules.filter((page) => !existsSync(join(target, page)))).toEqual([]);
});

test("documents a function with its example", () => {
  const [page = ""] = globSync("functions/*guardSafe.html", { cwd: target });
  expect(read(page)).toContain("whose owner signs only approved transactions");
  expect(read(page)).toContain("Example");
});

test("has no dead link, and loads nothing from elsewhere", () => {
  const pages = globSync("**/*.html", { cwd: target });
  const dead = pages.flatMap((page) =>
    [...read(page).matchAll(/(?:href|src)="([^"#]+)(?:#[^"]*)?"/g)]
      .map(([, href = ""]) => href)
      .filter((href) => !/^https?:/.test(href) && !existsSync(join(target, dirname(page), decodeURI(href))))
      .map((href) => `${page}: ${href}`),
  );
  expect(dead).toEqual([]);
  for (const page of pages) expect(read(page), page).not.toMatch(/(?:src|<link[^>]* href)="https?:/);
});
