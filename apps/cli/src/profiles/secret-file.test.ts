import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { emptyDirectory } from "../../test/run-cli.ts";
import { readSecretFile } from "./secret-file.ts";

async function aFile(content: string, mode: number): Promise<string> {
  const path = join(await emptyDirectory(), "key");
  await writeFile(path, content);
  await chmod(path, mode);
  return path;
}

test.each([0o600, 0o400])("reads a file of mode %o", async (mode) => {
  expect(await readSecretFile(await aFile("secret\n", mode))).toBe("secret");
});

test.each([0o640, 0o604, 0o644, 0o620, 0o601])("rejects a file of mode %o, with a fix", async (mode) => {
  const path = await aFile("secret", mode);
  await expect(readSecretFile(path)).rejects.toMatchObject({ exitCode: 2, hint: `chmod 600 ${path}` });
});

test("rejects a file that is too large for a key", async () => {
  await expect(readSecretFile(await aFile("x".repeat(5_000), 0o600))).rejects.toThrow("too large");
});

test("reports a missing file", async () => {
  await expect(readSecretFile("/nowhere/key")).rejects.toThrow("Can't read /nowhere/key.");
});
