// A witness from a real node, and the same call mined by it.
import { createTestClient, http, publicActions, toRlp, walletActions, type Block } from "viem";
import { expect } from "vitest";
import type { Hex } from "@countersign/wire";
import { noCode, quantity, word } from "../src/hex.ts";
import {
  callsOf,
  nextBlock,
  perturb,
  readHeader,
  sceneOf,
  verifyWitness,
  type Call,
  type FollowingCall,
  type OnMissing,
  type Source,
  type Witness,
  type WitnessAccount,
} from "../src/index.ts";

type Called = { readonly to: Hex; readonly data?: Hex; readonly value?: bigint; readonly gas?: bigint };
export type Given = Called & {
  readonly from: Hex;
  /** Calls after the first. */
  readonly following?: readonly Called[];
};

const written = ({ to, data = "0x", value = 0n, gas = 300_000n }: Called): FollowingCall => ({
  ...{ to, data, value: quantity(value), gas: quantity(gas) },
});

const connect = (url: string) =>
  createTestClient({ mode: "anvil", transport: http(url), cacheTime: 0 })
    .extend(publicActions)
    .extend(walletActions);
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

/** Makes the functions of a chain. */
export function onChain(url: string) {
  const chain = connect(url);
  const optionsOf = ({ call }: Pick<Witness, "call">) => ({ holders: [call.from] });

  /** Fetches what the run and its variants read, each with its proof. */
  async function capture({ from, following = [], ...first }: Given): Promise<Witness> {
    const block = await chain.getBlock();
    const header = encodeHeader(block);
    const base = nextBlock(readHeader(header, "osaka")).baseFeePerGas;
    const call: Call = {
      ...{ from, ...written(first) },
      ...{ maxFeePerGas: quantity(base + 10n ** 8n), maxPriorityFeePerGas: quantity(10n ** 8n) },
    };
    const accounts: Record<Hex, WitnessAccount> = {};
    const codes: Record<Hex, Hex> = {};
    const nodes = new Set<Hex>();
    const onMissing: OnMissing = async ({ address, slot }) => {
      const storageKeys = slot === null ? [] : [slot];
      const proof = await chain.getProof({ address, storageKeys, blockNumber: block.number });
      const codeHash = BigInt(proof.codeHash) === 0n ? noCode : proof.codeHash;
      if (codeHash !== noCode) codes[codeHash] ??= (await chain.getCode({ address })) ?? "0x";
      for (const node of [...proof.accountProof, ...proof.storageProof.flatMap((one) => one.proof)])
        nodes.add(node);
      const slots = proof.storageProof.map((one) => [word(BigInt(one.key)), quantity(one.value)] as const);
      const storage = { ...accounts[address]?.storage, ...Object.fromEntries(slots) };
      accounts[address] = {
        balance: quantity(proof.balance),
        nonce: quantity(proof.nonce),
        codeHash,
        storage,
      };
    };
    const bare = {
      ...({ version: 1, chainId: "0x1", hardfork: "osaka" } as const),
      ...{ blockHash: block.hash, headers: [header], call },
      ...(following.length === 0 ? {} : { following: following.map(written) }),
    };
    const scene = sceneOf(verifyWitness({ ...bare, accounts: {}, codes: {}, nodes: [] }));
    const source: Source = {
      findAccount: (address) => accounts[address],
      findSlot: (address, slot) => accounts[address]?.storage[slot],
      findCode: (hash) => codes[hash],
    };
    await perturb({ ...scene, source }, { ...optionsOf(bare), onMissing });
    return { ...bare, accounts, codes, nodes: [...nodes].sort() };
  }

  /** From the witness alone. */
  const simulate = async (witness: Witness) => perturb(sceneOf(verifyWitness(witness)), optionsOf(witness));

  /** Mines the calls in the block that was foreseen. */
  async function mine(witness: Witness) {
    const { from, maxFeePerGas, maxPriorityFeePerGas } = witness.call;
    const { timestamp, baseFeePerGas } = nextBlock(readHeader(witness.headers[0] ?? "0x", "osaka"));
    await chain.setNextBlockTimestamp({ timestamp });
    await chain.setNextBlockBaseFeePerGas({ baseFeePerGas });
    await chain.setAutomine(false);
    const hashes: Hex[] = [];
    for (const { to, data, value, gas } of callsOf(witness))
      hashes.push(
        await chain.sendTransaction({
          ...{ account: from, chain: null, to, data, value: BigInt(value), gas: BigInt(gas) },
          ...{ maxFeePerGas: BigInt(maxFeePerGas), maxPriorityFeePerGas: BigInt(maxPriorityFeePerGas) },
        }),
      );
    await chain.mine({ blocks: 1 });
    await chain.setAutomine(true);
    return Promise.all(hashes.map((hash) => chain.waitForTransactionReceipt({ hash, pollingInterval: 50 })));
  }

  /** Asserts that the run on the witness had the outcome of the mined transactions. Returns the effects. */
  async function expectMinedAlike(given: Given) {
    const witness = await capture(given);
    const found = await simulate(witness);
    const { outcome } = found.effects;
    const receipts = await mine(witness);
    const logs = receipts.flatMap((one) =>
      one.logs.map(({ address, topics, data }) => ({ address, topics, data })),
    );
    expect(outcome).toMatchObject({
      succeeded: receipts.every(({ status }) => status === "success"),
      gasOfEach: receipts.map(({ gasUsed }) => gasUsed),
      logs,
    });
    const fees = receipts.map(({ gasUsed, effectiveGasPrice }) => gasUsed * effectiveGasPrice);
    expect(outcome.fee).toBe(fees.reduce((sum, fee) => sum + fee, 0n));
    for (const [address, { balance }] of Object.entries(witness.accounts) as [Hex, WitnessAccount][]) {
      const change = outcome.balances.find((one) => one.address === address)?.change ?? 0n;
      expect([address, await chain.getBalance({ address })]).toEqual([address, BigInt(balance) + change]);
    }
    for (const { address, slot, after } of outcome.slots)
      expect(BigInt((await chain.getStorageAt({ address, slot })) ?? "0x0")).toBe(after);
    return found;
  }

  return { chain, capture, simulate, expectMinedAlike };
}
