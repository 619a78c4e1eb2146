import { chmod, readdir, readFile, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { emptyDirectory } from "../../test/run-cli.ts";
import { makeProfiles } from "./profiles.ts";

const one = { url: "https://one.example" };
const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8);

test("the file and its directory are for their owner alone", async () => {
  const directory = join(await emptyDirectory(), "a", "b");
  const profiles = makeProfiles(directory);
  await profiles.change("one", () => one);
  expect(await modeOf(profiles.file)).toBe("600");
  expect(await modeOf(directory)).toBe("700");
});

test("a file that others could read is for its owner alone after the next change", async () => {
  const profiles = makeProfiles(await emptyDirectory());
  await profiles.change("one", () => one);
  await chmod(profiles.file, 0o644);
  await profiles.change("two", () => one);
  expect(await modeOf(profiles.file)).toBe("600");
});

test("the first profile is the current one, and stays it until somebody says otherwise", async () => {
  const profiles = makeProfiles(await emptyDirectory());
  await profiles.change("one", () => one);
  await profiles.change("two", () => one);
  expect((await profiles.read()).current).toBe("one");
  await profiles.use("two");
  expect((await profiles.read()).current).toBe("two");
  await profiles.change("two", () => undefined);
  expect(await profiles.read()).toEqual({ profiles: { one } });
});

test("changes at the same time are all kept, and leave nothing behind", async () => {
  const directory = await emptyDirectory();
  const names = Array.from({ length: 12 }, (_, index) => `p${index}`);
  await Promise.all(names.map((name) => makeProfiles(directory).change(name, () => one)));
  expect(Object.keys((await makeProfiles(directory).read()).profiles).sort()).toEqual(names.sort());
  expect(await readdir(directory)).toEqual(["profiles.json"]);
});

test("a lock whose holder was killed does not hold for ever", async () => {
  const profiles = makeProfiles(await emptyDirectory());
  await writeFile(`${profiles.file}.lock`, "");
  await utimes(`${profiles.file}.lock`, 0, 0);
  await profiles.change("one", () => one);
  expect((await profiles.read()).current).toBe("one");
});

test.each([
  ["{", "it is not JSON"],
  ["[]", "is not an object"],
  ['{"profiles": {"a": {}}}', "profiles a: url is not an http(s) address"],
  ['{"profiles": {"a": {"url": "file:///etc"}}}', "url is not an http(s) address"],
  ['{"profiles": {"a": {"url": "http://x", "apikey": "k"}}}', "unknown here: apikey"],
  ['{"profiles": {"a": {"url": "http://x", "session": {"accessToken": "t"}}}}', "refreshToken is not a text"],
  ['{"profiles": {"a": {"url": "http://x", "trust": {"chainId": "1"}}}}', "chainId is not a whole number"],
  ['{"profiles": {"../a": {"url": "http://x"}}}', "is not a name"],
])("a broken file is said and not overwritten: %s", async (content, problem) => {
  const profiles = makeProfiles(await emptyDirectory());
  await writeFile(profiles.file, content);
  await expect(profiles.read()).rejects.toThrow(problem);
  await expect(profiles.change("b", () => one)).rejects.toThrow("broken");
  expect(await readFile(profiles.file, "utf8")).toBe(content);
});

test("what could not be read again is not written", async () => {
  const profiles = makeProfiles(await emptyDirectory());
  await profiles.change("one", () => one);
  const before = await readFile(profiles.file, "utf8");
  await expect(profiles.change("one", () => ({ url: "nowhere" }))).rejects.toThrow("url is not");
  expect(await readFile(profiles.file, "utf8")).toBe(before);
});

test.each(["", ".hidden", "a/b", "__proto__", "a b", "x".repeat(65)])(
  "a profile cannot be named %j",
  async (name) => {
    const profiles = makeProfiles(await emptyDirectory());
    await expect(profiles.change(name, () => one)).rejects.toThrow("name");
  },
);
