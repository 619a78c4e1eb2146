import { loadServiceConfig } from "@countersign/platform/config";
import { mnemonicToAccount } from "viem/accounts";
import { toHex } from "viem";
import { expect, test } from "vitest";
import { refuseInProduction } from "./config-production.ts";
import { Config } from "./config.ts";

const complete = {
  NODE_ENV: "production",
  BASE_URL: "https://api.example",
  UI_URL: "https://ui.example",
  RPC_URLS: "1=https://node.example",
  DATABASE_URL: "postgres://api:secret@db.example/countersign",
  IPFS_URL: "https://ipfs.example",
  ORION_URL: "https://orion.example",
  VALIDATOR_URL: "https://validator.example",
  ENGINE_INGRESS_URL: "https://engine.example",
  SECRETS_KEY: Buffer.alloc(32, 1).toString("base64"),
};
const load = (environment: Record<string, string>) =>
  loadServiceConfig(Config, environment, refuseInProduction);

test("starts in production with everything that has a development default set", () => {
  expect(load(complete).BASE_URL).toBe("https://api.example");
});
test.each(Object.keys(complete).filter((name) => name !== "NODE_ENV"))(
  "refuses to start in production without %s",
  (name) => {
    expect(() => load({ ...complete, [name]: "" })).toThrow(name);
  },
);
test.each(["CUSTODIAN_URL", "CRASH_AT", "CRASH_LIST"])("refuses %s in production", (name) => {
  expect(() => load({ ...complete, [name]: "http://127.0.0.1:1" })).toThrow(`${name} is for development`);
});
test.each(["REGISTRAR_PRIVATE_KEY", "RECORDER_PRIVATE_KEY"])(
  "refuses the ten development keys as %s, and accepts one that differs in a bit",
  (name) => {
    for (let addressIndex = 0; addressIndex < 10; addressIndex++) {
      const key = mnemonicToAccount("test test test test test test test test test test test junk", {
        addressIndex,
      }).getHdKey().privateKey;
      if (key === null) throw new Error("no private key");
      expect(() => load({ ...complete, [name]: toHex(key) })).toThrow(`${name} is a development key`);
      key[31] = (key[31] ?? 0) ^ 1;
      expect(() => load({ ...complete, [name]: toHex(key) })).not.toThrow();
    }
  },
);
