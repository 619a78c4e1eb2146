import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { ContractData } from "../../contract-data.ts";
import { openSnapshot, readSnapshot } from "../load-lists.ts";

const vault = "0xc0ffee00000000000000000000000000000000aa";
const other = "0xc0ffee00000000000000000000000000000000ab";
const stake = "0x7acb7757";
const now = BigInt(Date.parse("2026-11-15T00:00:00Z")) / 1000n;
const abi = [
  {
    ...{ type: "function", name: "stake", stateMutability: "nonpayable", outputs: [] },
    inputs: [
      { name: "amount", type: "uint256", internalType: "uint256" },
      { name: "receiver", type: "address" },
    ],
  },
  { type: "event", name: "Staked", inputs: [], anonymous: false },
];
const aFile = (given: object = {}) => ({
  ...{ chainId: 1, address: vault, source: "https://sourcify.example", asOf: "2026-11-10" },
  ...given,
});
const aDescriptor = (given: object = {}, formats: object = {}) => ({
  context: { contract: { deployments: [{ chainId: 1, address: vault }] }, ...given },
  metadata: { owner: "Someone", contractName: "Staking vault" },
  display: {
    definitions: { who: { label: "Beneficiary" } },
    formats: {
      "stake(uint256 amount, address receiver)": {
        intent: "Stake",
        fields: [
          { path: "#.amount", label: "Amount to stake", format: "amount" },
          { path: "receiver", $ref: "$.display.definitions.who" },
          { path: "@.value", label: "Value" },
        ],
      },
      ...formats,
    },
  },
});

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "contracts-"));
});
afterEach(() => {
  rmSync(directory, { recursive: true });
});
const load = (files: Readonly<Record<string, unknown>>): ContractData => {
  for (const [name, content] of Object.entries(files))
    writeFileSync(join(directory, name), JSON.stringify(content));
  return openSnapshot(readSnapshot(directory, { now, keys: [] }), () => now, 45).contractData;
};

describe("data about contracts", () => {
  test("is about exactly one chain and address", () => {
    const data = load({
      "contract-vault.json": aFile({ name: "Vault", abi }),
      "erc7730-x.json": aDescriptor(),
    });
    expect(data.size).toBe(1);
    expect(data.at(1, vault)).toMatchObject({ name: "Vault", asOf: "2026-11-10" });
    expect(data.functionAt(1, vault, stake)?.name).toBe("stake");
    for (const [chain, address] of [
      [10, vault],
      [1, other],
    ] as const) {
      expect(data.at(chain, address)).toBeNull();
      expect(data.functionAt(chain, address, stake)).toBeNull();
    }
    expect(data.functionAt(1, vault, "0x7acb7758")).toBeNull();
  });

  test("is empty without files", () => {
    const data = load({});
    expect([data.size, data.at(1, vault), data.functionAt(1, vault, stake)]).toEqual([0, null, null]);
  });

  test("takes intents and labels of a descriptor, alone and for a function of an ABI", () => {
    const words = { intent: "Stake", labels: { amount: "Amount to stake", receiver: "Beneficiary" } };
    const alone = load({ "erc7730-x.json": aDescriptor() });
    expect(alone.functionAt(1, vault, stake)).toMatchObject({
      ...words,
      source: "erc7730-x.json",
      asOf: null,
    });
    expect(alone.at(1, vault)).toMatchObject({ name: "Staking vault", verification: null });
    const both = load({ "contract-vault.json": aFile({ abi }) });
    expect(both.functionAt(1, vault, stake)).toMatchObject({
      ...words,
      source: "https://sourcify.example; erc7730-x.json",
    });
  });

  test("ages while the process runs, and is at least as old as its verification", () => {
    writeFileSync(
      join(directory, "contract-a.json"),
      JSON.stringify(aFile({ deployment: { at: "2026-11-14T00:00:00Z", block: "5" } })),
    );
    writeFileSync(
      join(directory, "contract-b.json"),
      JSON.stringify(aFile({ address: other, verification: "exact", verifiedAt: "2026-11-05T00:00:00Z" })),
    );
    let time = now;
    const { contractData } = openSnapshot(readSnapshot(directory, { now, keys: [] }), () => time, 45);
    time += 86_400n;
    expect(contractData.at(1, vault)).toMatchObject({
      ...{ deployedSecondsAgo: 172_800n, atLeastSecondsOld: 172_800n },
    });
    expect(contractData.at(1, other)).toMatchObject({
      ...{ deployedSecondsAgo: null, atLeastSecondsOld: 11n * 86_400n, verification: "exact" },
    });
  });

  test.each<readonly [string, Readonly<Record<string, unknown>>, string]>([
    ["a misspelt member", { "contract-a.json": aFile({ adress: vault }) }, "adress"],
    ["no address", { "contract-a.json": aFile({ address: "0x12" }) }, "expected an address"],
    ["a date in the future", { "contract-a.json": aFile({ asOf: "2027-01-01" }) }, "future"],
    [
      "a deployment in the future",
      { "contract-a.json": aFile({ deployment: { at: "2027-01-01T00:00:00Z" } }) },
      "future",
    ],
    [
      "a verification before the deployment",
      {
        "contract-a.json": aFile({
          ...{ verifiedAt: "2026-11-01T00:00:00Z", deployment: { at: "2026-11-02T00:00:00Z" } },
        }),
      },
      "before the deployment",
    ],
    [
      "a name that reverses the text after it",
      { "contract-a.json": aFile({ name: "Va\u202Eult" }) },
      "cannot be shown",
    ],
    ["a function twice", { "contract-a.json": aFile({ abi: [...abi, ...abi] }) }, "selector"],
    [
      "two files about one contract",
      { "contract-a.json": aFile(), "contract-b.json": aFile() },
      "another file",
    ],
    [
      "two descriptors of one function",
      { "erc7730-a.json": aDescriptor(), "erc7730-b.json": aDescriptor() },
      "another descriptor",
    ],
    [
      "a descriptor without deployments",
      { "erc7730-a.json": aDescriptor({ contract: { factory: { deployEvent: "Created(address)" } } }) },
      "deployments",
    ],
    [
      "a descriptor of typed data",
      { "erc7730-a.json": aDescriptor({ contract: undefined, eip712: { deployments: [] } }) },
      "contract",
    ],
    [
      "a label that hides characters",
      {
        "erc7730-a.json": aDescriptor(
          {},
          { "a(address to)": { fields: [{ path: "to", label: "T\u200Bo" }] } },
        ),
      },
      "cannot be shown",
    ],
    [
      "a key that is no function",
      { "erc7730-a.json": aDescriptor({}, { "stake it": {} }) },
      "not a function",
    ],
  ])("stops the start and is named: %s", (_, files, fault) => {
    expect(() => load(files)).toThrow(fault);
    expect(() => load(files)).toThrow(/(contract|erc7730)-[ab]\.json/);
  });

  test("leaves functions unnamed whose arguments our decoder does not know", () => {
    const inputs = [{ name: "x", type: "function" }];
    const data = load({
      "contract-a.json": aFile({
        abi: [
          { ...abi[0], inputs },
          { ...abi[0], inputs: [{ name: "x", type: "tuple" }] },
        ],
      }),
    });
    expect(data.functionAt(1, vault, stake)).toBeNull();
    expect(data.at(1, vault)).not.toBeNull();
  });
});
