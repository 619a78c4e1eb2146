// Against a real node: a witness captured from it is proven, and the run on the witness has the outcome of the mined
// transaction, bit for bit.
import { rmSync } from "node:fs";
import { keccak256 } from "viem/utils";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Hex } from "@countersign/wire";
import { makeSupervisor, startAnvil, type Anvil } from "@countersign/tools/engines";
import { freePorts, makeTempDir } from "@countersign/tools/testing";
import { onChain, type Given } from "../test/capture.ts";
import { compileContracts } from "../test/compile.ts";
import { word } from "./hex.ts";
import { hashResult, Unproven, type Witness } from "./index.ts";

const dir = makeTempDir("mined");
const supervisor = makeSupervisor({ logDir: dir });
const contracts = compileContracts();
let anvil: Anvil;
const chain = () => onChain(anvil.url).chain;
const proposer: Hex = "0x4838b106fce9647bdf1e7877bf73ce8b0bad5f97";
const [wallet, other, spender, token, items, wrapped, pretender] = Array.from(
  { length: 7 },
  (_, at): Hex => `0x${(at + 0xa0).toString(16).repeat(20)}`,
) as [Hex, Hex, Hex, Hex, Hex, Hex, Hex];

beforeAll(async () => {
  const [port = 0] = await freePorts(1);
  anvil = await startAnvil({ supervisor, dir: `${dir}/anvil`, port, chainId: 1 });
  await chain().setIntervalMining({ interval: 0 });
  await chain().setAutomine(true);
  await chain().setCoinbase({ address: proposer });
  await chain().setBalance({ address: wallet, value: 10n ** 20n });
  await chain().impersonateAccount({ address: wallet });
  const placed = { [token]: "Token", [items]: "Items", [wrapped]: "Wrapped", [pretender]: "Pretender" };
  for (const [address, name] of Object.entries(placed) as [Hex, string][])
    await chain().setCode({ address, bytecode: contracts.codeOf(name) });
  const balanceSlot = (holder: Hex) => keccak256(`${word(BigInt(holder))}${word(0n).slice(2)}` as Hex);
  for (const holder of [wallet, pretender])
    await chain().setStorageAt({ address: token, index: balanceSlot(holder), value: word(1_000n) });
  await chain().setStorageAt({ address: pretender, index: word(0n), value: word(BigInt(token)) });
  await chain().mine({ blocks: 2 });
});
afterAll(async () => {
  await supervisor.stop();
  rmSync(dir, { recursive: true, force: true });
});

type Called = Omit<Given, "from">;

describe("a simulated transaction", () => {
  test.each<[string, () => Called]>([
    ["a transfer of the native token", () => ({ to: other, value: 5n })],
    ["a token transfer", () => ({ to: token, data: contracts.encode("Token", "transfer", other, 10n) })],
    ["an approval", () => ({ to: token, data: contracts.encode("Token", "approve", pretender, 500n) })],
    [
      "a spent approval",
      () => ({ to: token, data: contracts.encode("Token", "approveAndSpend", spender, 9n) }),
    ],
    [
      "a failing transfer",
      () => ({ to: token, data: contracts.encode("Token", "transfer", other, 10n ** 9n) }),
    ],
    ["a mint", () => ({ to: items, data: contracts.encode("Items", "mint", 7n) })],
    ["a deposit", () => ({ to: wrapped, value: 12n })],
    [
      "a theft by a contract that detects simulations",
      () => ({ to: pretender, data: contracts.encode("Pretender", "claim") }),
    ],
    [
      "too little gas",
      () => ({ to: token, data: contracts.encode("Token", "transfer", other, 10n), gas: 30_000n }),
    ],
    [
      "several calls",
      () => ({
        ...{ to: token, data: contracts.encode("Token", "transfer", other, 10n) },
        following: [
          { to: other, value: 5n },
          { to: token, data: contracts.encode("Token", "transfer", other, 20n) },
          { to: items, data: contracts.encode("Items", "mint", 8n) },
          { to: token, data: contracts.encode("Token", "approveAndSpend", spender, 3n) },
        ],
      }),
    ],
  ])("has the outcome of the mined one: %s", async (_, given) => {
    await onChain(anvil.url).expectMinedAlike({ from: wallet, ...given() });
  });

  test("is replayed from its text, and not if the node lied about a byte of it", async () => {
    const { capture, simulate } = onChain(anvil.url);
    const witness = await capture({
      from: wallet,
      to: token,
      data: contracts.encode("Token", "transfer", other, 10n),
    });
    const hash = hashResult(await simulate(witness));
    expect(hashResult(await simulate(JSON.parse(JSON.stringify(witness)) as Witness))).toBe(hash);
    const found = witness.accounts[wallet];
    if (found === undefined) throw new Error("the sender is not in the witness");
    const accounts = { ...witness.accounts, [wallet]: { ...found, balance: "0x123456" as const } };
    await expect(simulate({ ...witness, accounts })).rejects.toThrow(Unproven);
  });
});
