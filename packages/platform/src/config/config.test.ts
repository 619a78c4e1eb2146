import { expect, test } from "vitest";
import { z } from "zod";
import {
  ConfigError,
  documentConfig,
  flag,
  list,
  loadConfig,
  port,
  webAddress,
  writeEnvExample,
} from "./index.ts";

const Schema = z.object({
  PORT: port().default(3000).describe("Port."),
  SECRET: z.string().min(8).meta({ description: "A secret.", secret: true }),
  UI_URL: webAddress().prefault("http://localhost").describe("Web app."),
  ON: flag().prefault("false").describe("A switch."),
  NAMES: list().prefault("").describe("Names."),
  EXTRA: z.string().optional().describe("Extra."),
});

const problemsOf = (environment: Record<string, string>): readonly string[] => {
  try {
    loadConfig(Schema, environment);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
};

test("reads what is set and falls back for the rest", () => {
  expect(
    loadConfig(Schema, {
      SECRET: "long enough",
      PORT: "80",
      ON: "true",
      NAMES: "a, b,",
      UI_URL: "https://x.example/",
    }),
  ).toEqual({
    PORT: 80,
    SECRET: "long enough",
    UI_URL: "https://x.example",
    ON: true,
    NAMES: ["a", "b"],
  });
});

test("takes an empty variable as unset", () => {
  expect(loadConfig(Schema, { SECRET: "long enough", PORT: "" }).PORT).toBe(3000);
});

test("reports every problem at once", () => {
  expect(problemsOf({ PORT: "70000", UI_URL: "ftp://x", ON: "yes" })).toHaveLength(4);
});

test("names a required variable that is not set", () => {
  expect(problemsOf({})).toEqual(["SECRET is required and not set"]);
});

test("never repeats a value, which may be a secret", () => {
  expect(problemsOf({ SECRET: "hunter2" }).join()).not.toContain("hunter2");
});

test("documents each setting from the schema that parses it", () => {
  expect(documentConfig(Schema)[1]).toEqual({
    name: "SECRET",
    description: "A secret.",
    fallback: undefined,
    required: true,
    secret: true,
    inProduction: undefined,
  });
  expect(documentConfig(Schema)[0]).toMatchObject({ name: "PORT", fallback: "3000", required: false });
});

test("refuses a setting without a description", () => {
  expect(() => documentConfig(z.object({ A: z.string() }))).toThrow("A has no description");
});

test("writes an example that leaves only required settings to be filled in", () => {
  const example = writeEnvExample("test", documentConfig(Schema));
  expect(example).toContain("# A secret. Required. Secret.\nSECRET=\n");
  expect(example).toContain("#PORT=3000");
});
