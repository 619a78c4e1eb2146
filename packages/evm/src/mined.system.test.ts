// Against a real node: a witness captured from it is proven, and the run on the witness has the outcome of the mined
// transaction, bit for bit.
import { rmSync } from "node:fs";
import { createTestClient, http, publicActions, toRlp, walletActions, type Block } from "viem";
import { keccak256 } from "viem/utils";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Hex } from "@countersign/wire";
import { makeSupervisor, startAnvil, type Anvil } from "@countersign/tools/engines";
import { freePorts, makeTempDir } from "@countersign/tools/testing";
import { compileContracts } from "../test/compile.ts";
import { noCode, quantity, word } from "./hex.ts";
import {
  hashResult,
  nextBlock,
  perturb,
  readHeader,
  sceneOf,
  Unproven,
  verifyWitness,
  type Call,
  type OnMissing,
  type Source,
  type Witness,
  type WitnessAccount,
} from "./index.ts";

const dir = makeTempDir("mined");
const supervisor = makeSupervisor({ logDir: dir });
const contracts = compileContracts();
let anvil: Anvil;
const chain = () =>
  createTestClient({ mode: "anvil", transport: http(anvil.url), cacheTime: 0 })
    .extend(publicActions)
    .extend(walletActions);
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

/** The RLP of a header, from a node's description of the block. */
function encodeHeader(block: Block): Hex {
  const number = (value: bigint | null | undefined): Hex => {
    const digits = (value ?? 0n).toString(16);
    return digits === "0" ? "0x" : `0x${digits.length % 2 === 1 ? "0" : ""}${digits}`;
  };
  const more = block as unknown as { readonly requestsHash: Hex };
  return toRlp([
    ...[block.parentHash, block.sha3Uncles, block.miner, block.stateRoot, block.transactionsRoot],
    ...[block.receiptsRoot, block.logsBloom ?? "0x", "0x" as const, number(block.number)],
    ...[number(block.gasLimit), number(block.gasUsed), number(block.timestamp), block.extraData],
    ...[block.mixHash, block.nonce ?? "0x", number(block.baseFeePerGas), block.withdrawalsRoot ?? "0x"],
    ...[number(block.blobGasUsed), number(block.excessBlobGas), block.parentBeaconBlockRoot ?? "0x"],
    more.requestsHash,
  ]);
}

type Given = { readonly to: Hex; readonly data?: Hex; readonly value?: bigint; readonly gas?: bigint };

/** Fetches what the run and its variants read, each with its proof. */
async function capture({ to, data = "0x", value = 0n, gas = 300_000n }: Given): Promise<Witness> {
  const block = await chain().getBlock();
  const header = encodeHeader(block);
  const base = nextBlock(readHeader(header, "osaka")).baseFeePerGas;
  const call: Call = {
    ...{ from: wallet, to, data, value: quantity(value), gas: quantity(gas) },
    ...{ maxFeePerGas: quantity(base + 10n ** 8n), maxPriorityFeePerGas: quantity(10n ** 8n) },
  };
  const accounts: Record<Hex, WitnessAccount> = {};
  const codes: Record<Hex, Hex> = {};
  const nodes = new Set<Hex>();
  const onMissing: OnMissing = async ({ address, slot }) => {
    const proof = await chain().getProof({
      ...{ address, storageKeys: slot === null ? [] : [slot], blockNumber: block.number },
    });
    const codeHash = BigInt(proof.codeHash) === 0n ? noCode : proof.codeHash;
    if (codeHash !== noCode) codes[codeHash] = (await chain().getCode({ address })) ?? "0x";
    for (const node of [...proof.accountProof, ...proof.storageProof.flatMap((one) => one.proof)])
      nodes.add(node);
    const slots = proof.storageProof.map((one) => [word(BigInt(one.key)), quantity(one.value)] as const);
    const storage = { ...accounts[address]?.storage, ...Object.fromEntries(slots) };
    accounts[address] = { balance: quantity(proof.balance), nonce: quantity(proof.nonce), codeHash, storage };
  };
  const bare = {
    version: 1,
    chainId: "0x1",
    hardfork: "osaka",
    blockHash: block.hash,
    headers: [header],
    call,
  } as const;
  const scene = sceneOf(verifyWitness({ ...bare, accounts: {}, codes: {}, nodes: [] }));
  const source: Source = {
    findAccount: (address) => accounts[address],
    findSlot: (address, slot) => accounts[address]?.storage[slot],
    findCode: (hash) => codes[hash],
  };
  await perturb({ ...scene, source }, { ...options, onMissing });
  return { ...bare, accounts, codes, nodes: [...nodes].sort() };
}
const options = { holders: [wallet] };
const simulate = async (witness: Witness) => perturb(sceneOf(verifyWitness(witness)), options);

/** Mines the call in the block that was foreseen. */
async function mine({ call, headers }: Witness) {
  const { timestamp, baseFeePerGas } = nextBlock(readHeader(headers[0] ?? "0x", "osaka"));
  await chain().setNextBlockTimestamp({ timestamp });
  await chain().setNextBlockBaseFeePerGas({ baseFeePerGas });
  const hash = await chain().sendTransaction({
    ...{ account: call.from, chain: null, to: call.to, data: call.data, value: BigInt(call.value) },
    ...{ gas: BigInt(call.gas), maxFeePerGas: BigInt(call.maxFeePerGas) },
    maxPriorityFeePerGas: BigInt(call.maxPriorityFeePerGas),
  });
  return chain().waitForTransactionReceipt({ hash, pollingInterval: 50 });
}

describe("a simulated transaction", () => {
  test.each<[string, () => Given]>([
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
  ])("has the outcome of the mined one: %s", async (_, given) => {
    const witness = await capture(given());
    const { effects } = await simulate(witness);
    const { outcome } = effects;
    const receipt = await mine(witness);
    const logs = receipt.logs.map(({ address, topics, data }) => ({ address, topics, data }));
    expect(outcome).toMatchObject({
      succeeded: receipt.status === "success",
      gasUsed: receipt.gasUsed,
      logs,
    });
    expect(outcome.fee).toBe(receipt.gasUsed * receipt.effectiveGasPrice);
    for (const [address, { balance }] of Object.entries(witness.accounts) as [Hex, WitnessAccount][]) {
      const change = outcome.balances.find((one) => one.address === address)?.change ?? 0n;
      expect([address, await chain().getBalance({ address })]).toEqual([address, BigInt(balance) + change]);
    }
    for (const { address, slot, after } of outcome.slots)
      expect(BigInt((await chain().getStorageAt({ address, slot })) ?? "0x0")).toBe(after);
  });

  test("is replayed from its text, and not if the node lied about a byte of it", async () => {
    const witness = await capture({ to: token, data: contracts.encode("Token", "transfer", other, 10n) });
    const hash = hashResult(await simulate(witness));
    expect(hashResult(await simulate(JSON.parse(JSON.stringify(witness)) as Witness))).toBe(hash);
    const found = witness.accounts[wallet];
    if (found === undefined) throw new Error("the sender is not in the witness");
    const accounts = { ...witness.accounts, [wallet]: { ...found, balance: "0x123456" as const } };
    await expect(simulate({ ...witness, accounts })).rejects.toThrow(Unproven);
  });
});
