import { expect, test } from "vitest";
import { resolveSettings, type Env, type Flags } from "./settings.ts";

const session = { accessToken: "a", refreshToken: "r" };
const file = {
  current: "one",
  profiles: {
    one: { url: "https://one.example", apiKey: "key-of-one", session, validatorUrl: "https://v.example" },
    two: { url: "https://two.example", apiKey: "key-of-two" },
  },
};
const resolve = (env: Env = {}, flags: Partial<Flags> = {}) =>
  resolveSettings({ env, file, flags: { json: false, color: true, ...flags } });

test("flags override the environment, which overrides the profile", () => {
  const env = { COUNTERSIGN_URL: "https://env.example" };
  expect(resolve().url).toBe("https://one.example");
  expect(resolve(env).url).toBe("https://env.example");
  expect(resolve(env, { url: "https://flag.example" }).url).toBe("https://flag.example");
  expect(resolve({ COUNTERSIGN_PROFILE: "two" }).apiKey).toBe("key-of-two");
  expect(resolve({ COUNTERSIGN_PROFILE: "two" }, { profile: "one" }).apiKey).toBe("key-of-one");
});

test("treats an empty variable as unset", () => {
  const env = { COUNTERSIGN_URL: "", COUNTERSIGN_API_KEY: "", COUNTERSIGN_PROFILE: "" };
  expect(resolve(env)).toMatchObject({ url: "https://one.example", apiKey: "key-of-one", notices: [] });
});

test("reports what the environment overrides, unless it is the same value", () => {
  expect(resolve({ COUNTERSIGN_API_KEY: "other" }).notices).toEqual([
    "COUNTERSIGN_API_KEY overrides profile one.",
  ]);
  expect(resolve({ COUNTERSIGN_API_KEY: "key-of-one" }).notices).toEqual([]);
});

test("never sends credentials of one service to another", () => {
  for (const settings of [
    resolve({ COUNTERSIGN_URL: "https://evil.example" }),
    resolve({}, { url: "https://one.example.evil.example" }),
    resolve({}, { url: "http://one.example" }),
    resolve({}, { url: "https://one.example:8443" }),
  ]) {
    expect(settings.apiKey).toBeUndefined();
    expect(settings.session).toBeUndefined();
    expect(settings.notices.join()).toContain("another service");
  }
});

test("uses a key from the environment with any URL", () => {
  const env = { COUNTERSIGN_URL: "https://env.example", COUNTERSIGN_API_KEY: "k" };
  expect(resolve(env).apiKey).toBe("k");
});

test("rejects an invalid URL", () => {
  for (const url of ["one.example", "file:///etc/passwd", "javascript:alert(1)"])
    expect(() => resolve({}, { url })).toThrow("https://");
});
