// Asks a node what a call would do if it were in the next block. Nothing is sent, and nothing is left behind.
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

/** What would happen, in lower case. */
export type Simulation = {
  /** The block it would come after. */
  readonly block: bigint;
  readonly succeeded: boolean;
  /** Why it would fail: in short, and printable, for it may be the words of a contract that nobody knows. */
  readonly reason: string | null;
  /**
   * How much more the wallet would have of the chain's own money, counted and not reported: some nodes also report what was
   * tried and did not move.
   */
  readonly gained: bigint;
  /** None of what fails. Money of the chain itself moves as a token's would, at the address 0xeeee…eeee. */
  readonly logs: readonly Log[];
  /** Every address whose code or storage it would reach. */
  readonly touched: readonly Hex[];
};

export type ChainSimulator = {
  readonly chainId: number;
  readonly simulate: (call: SimulatedCall) => Promise<Simulation>;
  /** Of the code at each address as of that block, and at those that they delegate to. No code has a hash as well. */
  readonly readCodeHashes: (addresses: readonly Hex[], block: bigint) => Promise<ReadonlyMap<Hex, Hex>>;
  /** How many transactions of an address are in blocks, and how many with those that wait. */
  readonly readNonces: (address: Hex) => Promise<{ readonly latest: number; readonly pending: number }>;
};

/** More than any honest call has; a limit, so that no contract decides how much we ask and keep. */
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
        // All is asked about one block by its number: `latest` may be another one for the next question.
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
/** What the probe answers: a balance. */
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

/** Answers with how much an address has of the chain's own money. */
const tellBalance: Hex = "0x6000353160005260206000f3";

async function simulate(place: Place, { from, to, value, data }: SimulatedCall): Promise<Simulation> {
  const call = { from, to, value: numberToHex(value), input: data };
  // Somewhere else each time, so that no contract knows where to look whether it is only tried.
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
  // With the gas it takes, not with all there is: some nodes want the wallet to be able to pay for it.
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
    return failure(place, "it reaches more places, or says more, than can be compared");
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

/** In the contract's own words, if they have a form that can be read. */
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

/** The answer; or, as a text, why the call could not even begin. */
async function question<T>(place: Place, { method, first, shape }: Question<T>): Promise<T | string> {
  const { client, chainId, block } = place;
  // viem types the answers of nodes; ours are looked at instead.
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
    throw new Error(`chain ${chainId}: the node does not know ${method}, which a call is checked with`);
  if (isTooPoor(error)) return "insufficient funds";
  throw error;
}

/** Nodes say that the wallet has too little as an error of the question, and do not agree on its number. */
function isTooPoor(error: unknown): boolean {
  const told = error instanceof BaseError ? error.walk((cause) => cause instanceof RpcRequestError) : null;
  return (
    told instanceof RpcRequestError && (told.code === -38014 || /insufficient funds/i.test(told.details))
  );
}

/** An account that lets the code of another address act for it has this, and that address, as its own code. */
const delegation = /^0xef0100([0-9a-f]{40})$/;

async function readCodeHashes(
  client: PublicClient,
  addresses: readonly Hex[],
  block: bigint,
): Promise<ReadonlyMap<Hex, Hex>> {
  const hashes = new Map<Hex, Hex>();
  const waiting = new Set(addresses.map(lowerCase));
  // Sets can grow while they are walked through, so delegates come last. They cannot delegate further.
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
