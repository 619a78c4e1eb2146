// Simulates a call in the next block. Nothing is sent, and there are no side effects.
import { randomBytes } from "node:crypto";
import {
  BaseError,
  decodeErrorResult,
  keccak256,
  MethodNotFoundRpcError,
  MethodNotSupportedRpcError,
  numberToHex,
  padHex,
  parseAbi,
  RpcRequestError,
  zeroAddress,
  type PublicClient,
} from "viem";
import { z } from "zod";
import type { Hex } from "@countersign/wire";
import { lowerCase, makeNode, type NodeOptions } from "./node.ts";

export type SimulatedCall = {
  readonly from: Hex;
  readonly to: Hex;
  readonly value: bigint;
  readonly data: Hex;
};

export type Log = { readonly address: Hex; readonly topics: readonly Hex[]; readonly data: Hex };

/** The simulated outcome, in lower case. */
export type Simulation = {
  /** The block it would follow. */
  readonly block: bigint;
  readonly succeeded: boolean;
  /** Why it would fail: shortened and printable, because it may be the text of an unknown contract. */
  readonly reason: string | null;
  /**
   * How much native token the wallet would gain, measured and not taken from logs: some nodes also log
   * transfers that were reverted.
   */
  readonly gained: bigint;
  /** Empty for a failed call. Transfers of the native token appear as token transfers at 0xeeee…eeee. */
  readonly logs: readonly Log[];
  /** Every address whose code or storage it would access. */
  readonly touched: readonly Hex[];
};

export type ChainSimulator = {
  readonly chainId: number;
  readonly simulate: (call: SimulatedCall) => Promise<Simulation>;
  /**
   * Hashes of the code at each address as of that block, and of the code they delegate to. Empty code has a
   * hash as well.
   */
  readonly readCodeHashes: (addresses: readonly Hex[], block: bigint) => Promise<ReadonlyMap<Hex, Hex>>;
  /** The number of an address's transactions in blocks, and including pending ones. */
  readonly readNonces: (address: Hex) => Promise<{ readonly latest: number; readonly pending: number }>;
};

/** More than any honest call needs. A limit, so that no contract decides how much we request and store. */
const maxTouched = 200;
const maxLogs = 1_000;
const questionsAtOnce = 16;

export function makeChainSimulator(options: NodeOptions): ChainSimulator {
  const { chainId } = options;
  const { client, ask } = makeNode(options);
  return {
    chainId,
    simulate: (call) =>
      ask(async () => {
        // All requests name the block by number, because `latest` may change between them.
        const { number } = await client.getBlock({ blockTag: "latest" });
        return simulate({ client, chainId, block: number }, call);
      }, "anew"),
    readCodeHashes: (addresses, block) => ask(() => readCodeHashes(client, addresses, block)),
    readNonces: (address) =>
      ask(async () => {
        const [latest, pending] = await Promise.all([
          client.getTransactionCount({ address, blockTag: "latest" }),
          client.getTransactionCount({ address, blockTag: "pending" }),
        ]);
        return { latest, pending };
      }, "anew"),
  };
}

type Place = { readonly client: PublicClient; readonly chainId: number; readonly block: bigint };

const bytes = z
  .string()
  .regex(/^0x(?:[0-9a-fA-F]{2})*$/)
  .transform((text) => lowerCase(text as Hex));
const quantity = z
  .string()
  .regex(/^0x[0-9a-fA-F]{1,16}$/)
  .transform(BigInt);
const address = bytes.refine((text) => text.length === 42);
const topic = bytes.refine((text) => text.length === 66);
const outcome = z.object({
  status: quantity,
  returnData: bytes,
  gasUsed: quantity,
  logs: z
    .array(z.object({ address, topics: z.array(topic).max(4), data: bytes }))
    .nullish()
    .transform((logs) => logs ?? []),
  error: z.object({ message: z.string() }).nullish(),
});
/** The answer of the probe: a balance. */
const balance = z
  .object({ status: z.literal("0x1"), returnData: topic })
  .transform(({ returnData }) => BigInt(returnData));
const simulated = z
  .tuple([z.object({ calls: z.tuple([balance, outcome, balance]) })])
  .transform(([{ calls }]) => ({ ...calls[1], gained: calls[2] - calls[0] }));
const reached = z.object({
  accessList: z.array(z.object({ address })).transform((list) => list.map((entry) => entry.address)),
  error: z.string().nullish(),
});

/** Bytecode that returns an address's balance of the native token. */
const tellBalance: Hex = "0x6000353160005260206000f3";

async function simulate(place: Place, { from, to, value, data }: SimulatedCall): Promise<Simulation> {
  const call = { from, to, value: numberToHex(value), input: data };
  // A random address each time, so that no contract can use it to detect a simulation.
  const probe: Hex = `0x${randomBytes(20).toString("hex")}`;
  const ask = { from: zeroAddress, to: probe, input: padHex(from) };
  const overrides = { [probe]: { code: tellBalance } };
  const plan = {
    blockStateCalls: [{ stateOverrides: overrides, calls: [ask, call, ask] }],
    ...{ traceTransfers: true, validation: false },
  };
  const done = await question(place, { method: "eth_simulateV1", first: plan, shape: simulated });
  if (typeof done === "string") return failure(place, done);
  if (done.status !== 1n) return failure(place, revertReason(done.returnData) ?? done.error?.message ?? "");
  // With the gas it needs instead of the maximum: some nodes require that the wallet can pay for it.
  const gas = numberToHex(done.gasUsed * 2n + 100_000n);
  const list = await question(place, {
    ...{ method: "eth_createAccessList", first: { ...call, gas }, shape: reached },
  });
  if (typeof list === "string") return failure(place, list);
  if (list.error) throw new Error(`chain ${place.chainId}: the node contradicts itself about a call`);
  const touched = new Set(
    [from, to, ...list.accessList, ...done.logs.map((log) => log.address)].map(lowerCase),
  );
  if (touched.size > maxTouched || done.logs.length > maxLogs)
    return failure(place, "it accesses more addresses, or emits more logs, than can be compared");
  const { gained, logs } = done;
  return { block: place.block, succeeded: true, reason: null, gained, logs, touched: [...touched] };
}

const failure = ({ block }: Place, reason: string): Simulation => ({
  ...{ block, succeeded: false, reason: printable(reason), gained: 0n, logs: [], touched: [] },
});

const printable = (text: string): string | null =>
  text
    .replace(/[^\x20-\x7e]+/g, " ")
    .trim()
    .slice(0, 200) || null;

const reasons = parseAbi(["error Error(string message)", "error Panic(uint256 code)"]);

/** The contract's own revert reason, if it can be decoded. */
function revertReason(data: Hex): string | undefined {
  try {
    const { errorName, args } = decodeErrorResult({ abi: reasons, data });
    return errorName === "Error" ? args[0] : `panic ${args[0].toString()}`;
  } catch {
    return undefined;
  }
}

type Question<T> = {
  readonly method: "eth_simulateV1" | "eth_createAccessList";
  readonly first: object;
  readonly shape: z.ZodType<T>;
};

/** Returns the answer or, as a text, why the call could not be started. */
async function question<T>(place: Place, { method, first, shape }: Question<T>): Promise<T | string> {
  const { client, chainId, block } = place;
  // viem's types for answers are not used; the answers are validated instead.
  const request = client.request as (question: object) => Promise<unknown>;
  try {
    const answer = shape.safeParse(await request({ method, params: [first, numberToHex(block)] }));
    if (answer.success) return answer.data;
  } catch (error) {
    return whyNotBegun(error, { method, chainId });
  }
  throw new Error(`chain ${chainId}: the node's answer to ${method} cannot be read`);
}

function whyNotBegun(error: unknown, { method, chainId }: { method: string; chainId: number }): string {
  if (error instanceof MethodNotFoundRpcError || error instanceof MethodNotSupportedRpcError)
    throw new Error(`chain ${chainId}: the node does not support ${method}, which simulations need`);
  if (isTooPoor(error)) return "insufficient funds";
  throw error;
}

/** Nodes report insufficient funds as an error of the request, with differing error codes. */
function isTooPoor(error: unknown): boolean {
  const told = error instanceof BaseError ? error.walk((cause) => cause instanceof RpcRequestError) : null;
  return (
    told instanceof RpcRequestError && (told.code === -38014 || /insufficient funds/i.test(told.details))
  );
}

/** The code of an account that delegates to another address: this prefix and that address. */
const delegation = /^0xef0100([0-9a-f]{40})$/;

async function readCodeHashes(
  client: PublicClient,
  addresses: readonly Hex[],
  block: bigint,
): Promise<ReadonlyMap<Hex, Hex>> {
  const hashes = new Map<Hex, Hex>();
  const waiting = new Set(addresses.map(lowerCase));
  // Sets can grow during iteration, so delegates come last. They cannot delegate further.
  while (hashes.size < waiting.size) {
    const some = [...waiting].filter((one) => !hashes.has(one)).slice(0, questionsAtOnce);
    const codes = await Promise.all(
      some.map(async (one) => ({ one, code: await client.getCode({ address: one, blockNumber: block }) })),
    );
    for (const { one, code = "0x" } of codes) {
      hashes.set(one, keccak256(code));
      const delegate = delegation.exec(lowerCase(code))?.[1];
      if (delegate !== undefined) waiting.add(`0x${delegate}`);
    }
  }
  return hashes;
}
