import { expect, test } from "vitest";
import { loadConfig } from "@countersign/platform/config";
import { Config } from "../../config.ts";

const textOf = (fill: number): string => Buffer.alloc(32, fill).toString("base64");

test.each([
  ["SECRETS_KEY", "aHVudGVyMg=="],
  ["SECRETS_KEY", `${textOf(1).slice(0, -2)}F=`],
  ["SECRETS_PREVIOUS_KEYS", `${textOf(1)},aHVudGVyMg==`],
])("the service's settings reject a %s that is not 32 bytes in base64: %s", (name, value) => {
  expect(() => loadConfig(Config, { [name]: value })).toThrow(/must (each )?be 32 bytes in base64$/);
});
