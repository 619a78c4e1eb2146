import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { emptyDirectory } from "../../test/run-cli.ts";
import { findCheckout } from "./checkout.ts";

async function aFolder(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await emptyDirectory();
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), content);
  }
  return folder;
}

const sources = { "tools/dev/main.ts": "", "apps/validator/src/main.ts": "" };

describe("findCheckout", () => {
  test("finds the checkout from any folder inside it", async () => {
    const folder = await aFolder({ ...sources, "package.json": '{"workspaces":[]}' });
    expect(findCheckout([join(folder, "apps/validator/src")])).toBe(folder);
  });

  test("tries the next start folder", async () => {
    const folder = await aFolder({ ...sources, "package.json": '{"workspaces":[]}' });
    expect(findCheckout([await emptyDirectory(), folder])).toBe(folder);
  });

  test.each([
    ["nothing of it is there", {}],
    ["it is no workspace", { ...sources, "package.json": "{}" }],
    ["its package file is broken", { ...sources, "package.json": "{" }],
    ["the programs are missing", { "package.json": '{"workspaces":[]}' }],
  ])("finds nothing where %s", async (_, files) => {
    expect(findCheckout([await aFolder(files)])).toBeUndefined();
  });
});
