import { chmod, readdir, readFile, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { emptyDirectory } from "../../test/run-cli.ts";
import { makeProfiles } from "./profiles.ts";

const one = { url: "https://one.example" };
const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8);

test("only the user can read the file and its directory", async () => {
  const directory = join(await emptyDirectory(), "a", "b");
  const profiles = makeProfiles(directory);
  await profiles.change("one", () => one);
  expect(await modeOf(profiles.file)).toBe("600");
  expect(await modeOf(directory)).toBe("700");
});

test("restricts the file mode with the next change", async () => {
  const profiles = makeProfiles(await emptyDirectory());
  await profiles.change("one", () => one);
  await chmod(profiles.file, 0o644);
  await profiles.change("two", () => one);
  expect(await modeOf(profiles.file)).toBe("600");
});

test("the first profile is current until another one is selected", async () => {
  const profiles = makeProfiles(await emptyDirectory());
  await profiles.change("one", () => one);
  await profiles.change("two", () => one);
  expect((await profiles.read()).current).toBe("one");
  await profiles.use("two");
  expect((await profiles.read()).current).toBe("two");
  await profiles.change("two", () => undefined);
  expect(await profiles.read()).toEqual({ profiles: { one } });
});

test("keeps concurrent changes, and leaves no temporary files", async () => {
  const directory = await emptyDirectory();
  const names = Array.from({ length: 12 }, (_, index) => `p${index}`);
  await Promise.all(names.map((name) => makeProfiles(directory).change(name, () => one)));
  expect(Object.keys((await makeProfiles(directory).read()).profiles).sort()).toEqual(names.sort());
  expect(await readdir(directory)).toEqual(["profiles.json"]);
});

test("takes over a stale lock", async () => {
  const profiles = makeProfiles(await emptyDirectory());
  await writeFile(`${profiles.file}.lock`, "");
  await utimes(`${profiles.file}.lock`, 0, 0);
  await profiles.change("one", () => one);
  expect((await profiles.read()).current).toBe("one");
});

test.each([
  ["{", "it isn't JSON"],
  ["[]", "must be an object"],
  ['{"profiles": {"a": {}}}', "profiles a: url must be an http(s) URL"],
  ['{"profiles": {"a": {"url": "file:///etc"}}}', "url must be an http(s) URL"],
  ['{"profiles": {"a": {"url": "http://x", "apikey": "k"}}}', "unknown field: apikey"],
  [
    '{"profiles": {"a": {"url": "http://x", "session": {"accessToken": "t"}}}}',
    "refreshToken must be a non-empty string",
  ],
  [
    '{"profiles": {"a": {"url": "http://x", "trust": {"chainId": "1"}}}}',
    "chainId must be a positive integer",
  ],
  ['{"profiles": {"../a": {"url": "http://x"}}}', "isn't a valid name"],
])("reports a broken file and does not overwrite it: %s", async (content, problem) => {
  const profiles = makeProfiles(await emptyDirectory());
  await writeFile(profiles.file, content);
  await expect(profiles.read()).rejects.toThrow(problem);
  await expect(profiles.change("b", () => one)).rejects.toThrow("can't be read");
  expect(await readFile(profiles.file, "utf8")).toBe(content);
});

test("does not write an invalid profile", async () => {
  const profiles = makeProfiles(await emptyDirectory());
  await profiles.change("one", () => one);
  const before = await readFile(profiles.file, "utf8");
  await expect(profiles.change("one", () => ({ url: "nowhere" }))).rejects.toThrow("url must be");
  expect(await readFile(profiles.file, "utf8")).toBe(before);
});

test.each(["", ".hidden", "a/b", "__proto__", "a b", "x".repeat(65)])(
  "rejects the profile name %j",
  async (name) => {
    const profiles = makeProfiles(await emptyDirectory());
    await expect(profiles.change(name, () => one)).rejects.toThrow("name");
  },
);
