// Blocks as nodes describe them, turned into the bytes that their hash is computed from.
import { keccak256, toRlp } from "viem/utils";
import { z } from "zod";
import type { Hex } from "@countersign/wire";
import { NodeFailed, type Rpc, type RpcAnswer } from "./rpc.ts";

const hex = z.custom<Hex>((value) => typeof value === "string" && /^0x[0-9a-fA-F]*$/.test(value));

const Block = z.object({
  ...{
    parentHash: hex,
    sha3Uncles: hex,
    miner: hex,
    stateRoot: hex,
    transactionsRoot: hex,
    receiptsRoot: hex,
  },
  ...{ logsBloom: hex, difficulty: hex, number: hex, gasLimit: hex, gasUsed: hex, timestamp: hex },
  ...{ extraData: hex, mixHash: hex, nonce: hex, baseFeePerGas: hex, withdrawalsRoot: hex },
  ...{ blobGasUsed: hex, excessBlobGas: hex, parentBeaconBlockRoot: hex },
  /** Since Prague. */
  requestsHash: hex.optional(),
});

export type Block = {
  readonly number: bigint;
  readonly hash: Hex;
  /** Of its proposer. */
  readonly coinbase: Hex;
  /** RLP. Its keccak256 is `hash`. */
  readonly header: Hex;
  readonly hasRequests: boolean;
};

const quantity = (value: Hex): Hex => {
  const digits = BigInt(value === "0x" ? 0 : value).toString(16);
  return digits === "0" ? "0x" : `0x${digits.length % 2 === 1 ? "0" : ""}${digits}`;
};

/** The hash is computed, not believed. Throws NodeFailed for a block of another form. */
function readBlock(answer: RpcAnswer): Block {
  const read = Block.safeParse(answer?.result);
  if (!read.success) throw new NodeFailed("a node did not answer with a block since Cancun");
  const block = read.data;
  const header = toRlp([
    ...[block.parentHash, block.sha3Uncles, block.miner, block.stateRoot, block.transactionsRoot],
    ...[block.receiptsRoot, block.logsBloom, quantity(block.difficulty), quantity(block.number)],
    ...[quantity(block.gasLimit), quantity(block.gasUsed), quantity(block.timestamp), block.extraData],
    ...[block.mixHash, block.nonce, quantity(block.baseFeePerGas), block.withdrawalsRoot],
    ...[quantity(block.blobGasUsed), quantity(block.excessBlobGas), block.parentBeaconBlockRoot],
    ...(block.requestsHash === undefined ? [] : [block.requestsHash]),
  ]);
  return {
    ...{ number: BigInt(block.number), hash: keccak256(header), header },
    coinbase: block.miner.toLowerCase() as Hex,
    hasRequests: block.requestsHash !== undefined,
  };
}

const blockCall = (at: string) => ({ method: "eth_getBlockByNumber", params: [at, false] });

export const readHead = async ({ ask }: Pick<Rpc, "ask">): Promise<Block> =>
  readBlock((await ask([blockCall("latest")]))[0]);

/** Returns the blocks with these numbers, newest first. */
export async function readBlocks(
  { ask }: Pick<Rpc, "ask">,
  numbers: readonly bigint[],
): Promise<readonly Block[]> {
  const answers = await ask(numbers.map((number) => blockCall(`0x${number.toString(16)}`)));
  return answers.map(readBlock);
}
