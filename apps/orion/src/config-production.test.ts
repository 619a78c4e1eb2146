import { loadServiceConfig } from "@countersign/platform/config";
import { expect, test } from "vitest";
import { refuseInProduction } from "./config-production.ts";
import { Config } from "./config.ts";

const complete = {
  NODE_ENV: "production",
  API_URL: "https://api.example",
  ORION_KEY: "cs_orion_live_key",
  VALIDATOR_URL: "https://validator.example",
  IPFS_URL: "https://ipfs.example",
  RPC_URL: "https://node.example",
  INBOX_ADDRESS: `0x${"1b".repeat(20)}`,
  ENGINE_INGRESS_URL: "https://engine.example",
  VERDICT_KEY_CREATE: "false",
  PGP_KEY_CREATE: "false",
  SECRETS_KEY: Buffer.alloc(32, 1).toString("base64"),
};
const load = (environment: Record<string, string>) =>
  loadServiceConfig(Config, environment, refuseInProduction);

test("starts in production with everything that has a development default set", () => {
  expect(load(complete).ORION_KEY).toBe("cs_orion_live_key");
});
test.each(Object.keys(complete).filter((name) => name !== "NODE_ENV"))(
  "refuses to start in production without %s",
  (name) => {
    expect(() => load({ ...complete, [name]: "" })).toThrow(name);
  },
);
test.each(["VERDICT_KEY_CREATE", "PGP_KEY_CREATE"])("refuses %s=true in production", (name) => {
  expect(() => load({ ...complete, [name]: "true" })).toThrow(`${name} must be false in production`);
});
test.each(["CRASH_AT", "CRASH_LIST"])("refuses %s in production", (name) => {
  expect(() => load({ ...complete, [name]: "here" })).toThrow(`${name} is for development`);
});
