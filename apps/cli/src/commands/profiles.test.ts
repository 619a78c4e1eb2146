import { expect, test } from "vitest";
import { makeProfiles } from "../profiles/profiles.ts";
import { emptyDirectory, run } from "../../test/run-cli.ts";

async function twoProfiles() {
  const configDirectory = await emptyDirectory();
  const profiles = makeProfiles(configDirectory);
  const session = { accessToken: "secret-access", refreshToken: "secret-refresh" };
  await profiles.change("one", () => ({ url: "https://one.example", apiKey: "secret-key" }));
  await profiles.change("two", () => ({ url: "https://two.example", session }));
  return { configDirectory, profiles };
}

test("list shows profiles without secrets", async () => {
  const { configDirectory } = await twoProfiles();
  const shown = await run("profiles list", { configDirectory });
  expect(shown.stdout.split("\n")).toEqual([
    "   name  service              account  signed in as",
    "*  one   https://one.example  -        agent",
    "   two   https://two.example  -        owner",
    "",
  ]);
  const json = await run("profiles list --json", { configDirectory });
  expect(JSON.parse(json.stdout)).toMatchObject({
    current: "one",
    profiles: [
      { name: "one", hasApiKey: true, hasSession: false },
      { name: "two", hasApiKey: false, hasSession: true },
    ],
  });
  expect(shown.stdout + json.stdout).not.toContain("secret");
});

test("list says how to create the first profile", async () => {
  expect((await run("profiles list")).stdout).toContain("countersign login --url");
});

test("use selects an existing profile", async () => {
  const { configDirectory, profiles } = await twoProfiles();
  expect((await run("profiles use two", { configDirectory })).code).toBe(0);
  expect((await profiles.read()).current).toBe("two");
  expect((await run("profiles use three", { configDirectory })).code).toBe(6);
  expect((await run("profiles use toString", { configDirectory })).code).toBe(6);
});

test("remove asks first", async () => {
  const { configDirectory, profiles } = await twoProfiles();
  const kept = await run("profiles remove one", { configDirectory, isTerminal: true, answers: [false] });
  expect(kept.code).toBe(4);
  expect(Object.keys((await profiles.read()).profiles)).toEqual(["one", "two"]);
  expect((await run("profiles remove one", { configDirectory })).code).toBe(2);
  expect((await run("profiles remove one --yes", { configDirectory })).code).toBe(0);
  expect(Object.keys((await profiles.read()).profiles)).toEqual(["two"]);
  expect((await run("profiles remove one --yes", { configDirectory })).code).toBe(6);
});
