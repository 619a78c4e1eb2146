/** The command for data about contracts, against a stand-in of the service that is asked. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { startSourcifyStandIn, type SourcifyStandIn } from "../../../../tools/stand-ins/sourcify/stand-in.ts";
import { openSnapshot, readSnapshot } from "../lists/index.ts";
import { manageContracts } from "./contracts.ts";

const vault = "0xc0ffee00000000000000000000000000000000aa";
const unverified = "0xc0ffee00000000000000000000000000000000ab";
const now = new Date("2026-11-19T08:00:00Z");
const seconds = BigInt(now.getTime() / 1000);
const verified = {
  chainId: "1",
  address: "0xC0FFEE00000000000000000000000000000000aA",
  match: "exact_match",
  verifiedAt: "2026-11-01T00:00:00Z",
  fields: {
    abi: [{ type: "function", name: "stake", inputs: [{ name: "amount", type: "uint256" }] }],
    deployment: { blockNumber: "24000000", transactionHash: `0x${"ab".repeat(32)}`, deployer: vault },
    compilation: { name: "Vault", compiler: "solc" },
    sources: { "a.sol": "not asked for" },
  },
} as const;

let service: SourcifyStandIn;
let directory: string;
beforeAll(async () => {
  service = await startSourcifyStandIn();
});
afterAll(() => service.close());
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "admin-contracts-"));
  service.contracts = [verified];
  service.behaviour = "honest";
  service.asked.length = 0;
});
afterEach(() => {
  rmSync(directory, { recursive: true });
});

const update = async (...args: readonly string[]): Promise<readonly string[]> => {
  const lines: string[] = [];
  const parts = { settings: { VALIDATOR_DATA_DIR: directory }, clock: { now: () => now } };
  await manageContracts({ ...parts, print: (line) => void lines.push(line) }, ["update", ...args]);
  return lines;
};
const about = (address: string) => ["--from", service.url, "--chain", "1", "--address", address];
const load = () =>
  openSnapshot(readSnapshot(directory, { now: seconds, keys: [] }), () => seconds, 45).contractData;

describe("contracts update", () => {
  test("keeps name, functions, verification and deployment where the validator reads them", async () => {
    expect(await update(...about(verified.address), "--address", unverified)).toEqual([
      `Updated. contract-1-${vault}.json: source exact, 1 functions.`,
      `Updated. contract-1-${unverified}.json: source none, 0 functions.`,
    ]);
    expect(service.asked[0]).toBe(`/v2/contract/1/${vault}?fields=abi%2Cdeployment%2Ccompilation`);
    expect(JSON.parse(readFileSync(join(directory, `contract-1-${vault}.json`), "utf8"))).toMatchObject({
      ...{ asOf: "2026-11-19", source: new URL(service.url).host },
      deployment: { block: "24000000" },
    });
    const data = load();
    expect(data.at(1, vault)).toMatchObject({
      ...{ name: "Vault", verification: "exact", deployedSecondsAgo: null },
      atLeastSecondsOld: 18n * 86_400n + 8n * 3600n,
    });
    expect(data.functionAt(1, vault, "0xa694fc3a")?.name).toBe("stake");
    expect(data.at(1, unverified)).toMatchObject({ verification: "none", atLeastSecondsOld: null });
  });

  test("replaces the file of the same contract", async () => {
    await update(...about(vault));
    service.contracts = [];
    await update(...about(vault));
    expect(readdirSync(directory)).toEqual([`contract-1-${vault}.json`]);
    expect(load().at(1, vault)?.verification).toBe("none");
  });

  test("leaves out a name that cannot be shown", async () => {
    service.contracts = [{ ...verified, fields: { compilation: { name: "Va\u202Eult" } } }];
    await update(...about(vault));
    expect(load().at(1, vault)).toMatchObject({ name: null, verification: "exact" });
  });

  test.each([
    ["fails", "answered 500"],
    ["other_address", "another contract"],
    ["other_chain", "another contract"],
    ["too_much", "larger than 2097152 bytes"],
    ["not_json", "not about a contract"],
    ["empty_404", "not about a contract"],
  ] as const)("changes nothing if the service %s", async (behaviour, why) => {
    await update(...about(vault));
    const before = readFileSync(join(directory, `contract-1-${vault}.json`), "utf8");
    service.behaviour = behaviour;
    await expect(update(...about(vault))).rejects.toThrow(why);
    expect(readFileSync(join(directory, `contract-1-${vault}.json`), "utf8")).toBe(before);
    expect(readdirSync(directory)).toHaveLength(1);
  });

  test("refuses a verification in the future, as the validator would", async () => {
    service.contracts = [{ ...verified, verifiedAt: "2027-01-01T00:00:00Z" }];
    await expect(update(...about(vault))).rejects.toThrow("future");
    expect(readdirSync(directory)).toEqual([]);
  });

  test("refuses a second file about a contract", async () => {
    writeFileSync(
      join(directory, "contract-mine.json"),
      JSON.stringify({ chainId: 1, address: verified.address }),
    );
    await expect(update(...about(vault))).rejects.toThrow("contract-mine.json is about the same contract");
  });

  test.each([
    ["no service", ["--chain", "1", "--address", vault], "--from"],
    ["no chain", ["--from", "https://a.example", "--address", vault], "--chain"],
    ["no address", ["--from", "https://a.example", "--chain", "1"], "--address"],
    ["a short address", ["--from", "https://a.example", "--chain", "1", "--address", "0x12"], "--address"],
    [
      "an address on the network without encryption",
      ["--from", "http://192.0.2.1", "--chain", "1", "--address", vault],
      "https",
    ],
  ])("refuses %s", async (_, args, why) => {
    await expect(update(...args)).rejects.toThrow(why);
  });
});
