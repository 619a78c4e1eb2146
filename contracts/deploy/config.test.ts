import { describe, expect, it } from "vitest";
import { readDeployConfig } from "./config.ts";

const key = `0x${"11".repeat(32)}`;
const registrar = "0x00000000000000000000000000000000000000aa";
const recorders = [
  "0x0000000000000000000000000000000000000001",
  "0x0000000000000000000000000000000000000002",
] as const;

const complete = {
  RPC_URL: "http://127.0.0.1:8545",
  DEPLOYER_PRIVATE_KEY: key,
  REGISTRAR_ADDRESS: registrar,
  RECORDER_ADDRESSES: recorders.join(", "),
};

const problemsOf = (environment: Record<string, string | undefined>): string => {
  try {
    readDeployConfig(environment);
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error("The configuration was accepted.");
};

describe("the configuration of a deployment", () => {
  it("is read from the environment, with the deployer as the owner", () => {
    const config = readDeployConfig(complete);
    expect(config).toMatchObject({ rpcUrl: "http://127.0.0.1:8545", registrar, recorders, file: undefined });
    expect(config.deployer.address).toBe("0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A");
    expect(config.owner).toBe(config.deployer.address);
  });

  it("takes another owner and another file", () => {
    const config = readDeployConfig({ ...complete, OWNER_ADDRESS: registrar, DEPLOYMENT_FILE: "here.json" });
    expect(config).toMatchObject({ owner: registrar, file: "here.json" });
  });

  it("takes an empty variable for one that is not set", () => {
    const config = readDeployConfig({ ...complete, OWNER_ADDRESS: "", DEPLOYMENT_FILE: " " });
    expect(config).toMatchObject({ owner: config.deployer.address, file: undefined });
    expect(problemsOf({ ...complete, RPC_URL: "" })).toContain("RPC_URL must be");
  });

  it("names everything that is missing at once", () => {
    expect(problemsOf({})).toMatchInlineSnapshot(`
      "The configuration is not complete.
      - RPC_URL must be the http(s) address of a JSON-RPC node; it is not set.
      - DEPLOYER_PRIVATE_KEY must be 0x and the 64 hex digits of a private key; it is not set.
      - REGISTRAR_ADDRESS must be an address; it is not set.
      - RECORDER_ADDRESSES must be a list of addresses with commas between; it is not set."
    `);
  });

  it("names everything that is wrong at once, without repeating a value", () => {
    const wrong = { RPC_URL: "ws://node", REGISTRAR_ADDRESS: "0xaa", RECORDER_ADDRESSES: `${registrar},bob` };
    const problems = problemsOf({ ...wrong, DEPLOYER_PRIVATE_KEY: `${key}22`, OWNER_ADDRESS: "alice" });
    expect(problems).toMatchInlineSnapshot(`
      "The configuration is not complete.
      - RPC_URL must be the http(s) address of a JSON-RPC node.
      - DEPLOYER_PRIVATE_KEY must be 0x and the 64 hex digits of a private key.
      - REGISTRAR_ADDRESS must be an address.
      - RECORDER_ADDRESSES must be a list of addresses with commas between.
      - OWNER_ADDRESS must be an address."
    `);
  });

  it("refuses an address whose checksum does not hold", () => {
    const mistyped = "0x19e7E376E7C213B7E7e7e46cc70A5dD086DAff2A";
    expect(problemsOf({ ...complete, REGISTRAR_ADDRESS: mistyped })).toContain(
      "REGISTRAR_ADDRESS must be an address.",
    );
  });
});
