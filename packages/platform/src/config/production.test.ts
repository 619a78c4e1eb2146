import { describe, expect, test } from "vitest";
import { z } from "zod";
import { refuseMadeKey } from "../secrets/index.ts";
import { ConfigError, isProduction, loadServiceConfig, port, text, webAddress } from "./index.ts";

describe("isProduction", () => {
  test.each([
    [{ NODE_ENV: "production" }, true],
    [{ NODE_ENV: "development", BASE_URL: "https://api.example" }, false],
    [{ NODE_ENV: "test", HOST: "0.0.0.0" }, false],
    [{}, false],
    [{ HOST: "127.0.0.1", BASE_URL: "http://127.0.0.1:3000", UI_URL: "http://localhost:5173" }, false],
    [{ HOST: "::1", BASE_URL: "http://[::1]:3000" }, false],
    [{ BASE_URL: "", UI_URL: "" }, false],
    [{ BASE_URL: "https://api.example" }, true],
    [{ UI_URL: "http://10.0.0.1" }, true],
    [{ PUBLIC_API_URL: "https://api.example" }, true],
    [{ HOST: "0.0.0.0" }, true],
    [{ HOST: "::" }, true],
    // Near misses: a loopback name or number that is only the start of another one.
    [{ BASE_URL: "https://localhost.example" }, true],
    [{ BASE_URL: "https://127.0.0.1.example" }, true],
    [{ HOST: "128.0.0.1" }, true],
  ])("%j: %j", (environment, expected) => {
    expect(isProduction(environment)).toBe(expected);
  });
});

const Schema = z.object({
  PORT: port().default(3000).describe("Port."),
  API_URL: webAddress()
    .prefault("http://127.0.0.1:3000")
    .meta({ inProduction: "required", description: "A service." }),
  CRASH_AT: text().optional().meta({ inProduction: "unset", description: "For tests." }),
});
const problemsOf = (environment: Record<string, string>): readonly string[] => {
  try {
    loadServiceConfig(Schema, environment, ({ PORT }) => (PORT === 3000 ? ["PORT is taken"] : []));
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
};

describe("loadServiceConfig", () => {
  test("takes every default in development", () => {
    expect(loadServiceConfig(Schema, { CRASH_AT: "here" })).toEqual({
      ...{ PORT: 3000, API_URL: "http://127.0.0.1:3000", CRASH_AT: "here" },
    });
  });
  test("refuses defaults and settings that are for development in production, all at once", () => {
    expect(problemsOf({ NODE_ENV: "production", CRASH_AT: "here" })).toEqual([
      "API_URL is required in production: its default is for development",
      "CRASH_AT is for development and must not be set in production",
      "PORT is taken",
    ]);
  });
  test("reports malformed settings together with development defaults", () => {
    expect(problemsOf({ NODE_ENV: "production", PORT: "70000" })).toHaveLength(2);
  });
  test("accepts a default that the operator set explicitly", () => {
    expect(problemsOf({ NODE_ENV: "production", API_URL: "http://127.0.0.1:3000", PORT: "80" })).toEqual([]);
  });
  test("takes an empty variable as unset", () => {
    expect(problemsOf({ NODE_ENV: "production", API_URL: "", CRASH_AT: "", PORT: "80" })).toEqual([
      "API_URL is required in production: its default is for development",
    ]);
  });
});

test("the key for secrets is the operator's in production: set, in a token, or in a file they named", () => {
  expect(refuseMadeKey({ SECRETS_KMS_KEYS: [] }, {})).toHaveLength(1);
  expect(refuseMadeKey({ SECRETS_KMS_KEYS: [] }, { SECRETS_KEY_FILE: "" })).toHaveLength(1);
  expect(refuseMadeKey({ SECRETS_KMS_KEYS: [], SECRETS_KEY: "k" }, {})).toEqual([]);
  expect(refuseMadeKey({ SECRETS_KMS_KEYS: [], SECRETS_PKCS11_MODULE: "/m" }, {})).toEqual([]);
  expect(refuseMadeKey({ SECRETS_KMS_KEYS: ["arn"] }, {})).toEqual([]);
  expect(refuseMadeKey({ SECRETS_KMS_KEYS: [] }, { SECRETS_KEY_FILE: "/k" })).toEqual([]);
});
