// One simulated run of a call in one block.
import { numberToHex, padHex } from "viem";
import { z } from "zod";
import type { Hex } from "@countersign/wire";
import { askNode, type Place, type Refusal } from "./ask-node.ts";
import { lowerCase } from "./node.ts";
import { revertReason } from "./revert-reason.ts";
import {
  feesIn,
  overridesIn,
  priceOf,
  probeGas,
  randomAddress,
  termsIn,
  type Surroundings,
} from "./surroundings.ts";

/** A call as the members of a request. */
export type RpcCall = { readonly from: Hex; readonly to: Hex; readonly value: Hex; readonly input: Hex };

export type Log = { readonly address: Hex; readonly topics: readonly Hex[]; readonly data: Hex };

/** A balance to measure: of a token, or of the native token if that is null. */
export type Measure = { readonly holder: Hex; readonly token: Hex | null };

export type Run = {
  readonly logs: readonly Log[];
  /**
   * How much native token the sender gained, without fees. Measured and not taken from logs: some nodes also
   * log transfers that were reverted.
   */
  readonly gained: bigint;
  /** How much each measured balance changed, fees included. Null if the contract does not answer. */
  readonly measured: readonly (bigint | null)[];
};

const bytes = z
  .string()
  .regex(/^0x(?:[0-9a-fA-F]{2})*$/)
  .transform((text) => lowerCase(text as Hex));
export const quantity = z
  .string()
  .regex(/^0x[0-9a-fA-F]{1,64}$/)
  .transform(BigInt);
export const address = bytes.refine((text) => text.length === 42);
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
/** The answer of the probe: two balances. */
const balances = z
  .object({ status: z.literal("0x1"), gasUsed: quantity, returnData: bytes })
  .refine(({ returnData }) => returnData.length === 130)
  .transform(({ gasUsed, returnData }) => ({
    gasUsed,
    first: BigInt(returnData.slice(0, 66)),
    second: BigInt(`0x${returnData.slice(66)}`),
  }));
const simulated = z
  .tuple([
    z.object({
      miner: address.optional(),
      timestamp: quantity.optional(),
      baseFeePerGas: quantity.nullish(),
      calls: z.array(z.unknown()),
    }),
  ])
  .transform(([block]) => block);
/** One number. Contracts that answer otherwise have no balance that could be compared. */
const answer = z
  .object({ status: z.literal("0x1"), returnData: bytes.refine((text) => text.length === 66) })
  .transform(({ returnData }) => BigInt(returnData));

/** Bytecode that returns the native balances of the two addresses in its calldata. */
const tellBalances: Hex = "0x600035316000526020353160205260406000f3";
const payerFunds = 10n ** 24n;

/** Returns the run, or why it fails. */
export async function runCall(
  place: Place,
  call: RpcCall,
  surroundings: Surroundings,
  measures: readonly Measure[] = [],
): Promise<Run | Refusal> {
  // Random addresses each time, so that no contract can use them to detect a simulation.
  const [probe, payer, laterPayer] = [randomAddress(), randomAddress(), randomAddress()];
  const input: Hex = `${padHex(call.from)}${padHex(payer).slice(2)}`;
  const ask = { to: probe, input, gas: numberToHex(probeGas), ...feesIn(surroundings) };
  const rich = { balance: numberToHex(payerFunds) };
  const payers = measures.flatMap(() => [randomAddress(), randomAddress()]);
  const measuring = (first: number): readonly object[] =>
    measures.map(({ holder, token }, index) => ({
      ...{ ...ask, from: payers[2 * index + first], to: token ?? probe },
      input: token === null ? `${padHex(holder)}${padHex(holder).slice(2)}` : balanceOf(holder),
    }));
  const done = await askNode(place, {
    method: "eth_simulateV1",
    first: {
      blockStateCalls: [
        {
          blockOverrides: overridesIn(surroundings),
          stateOverrides: {
            ...{ [probe]: { code: tellBalances }, [payer]: rich, [laterPayer]: rich },
            ...Object.fromEntries(payers.map((one) => [one, rich])),
          },
          calls: [
            ...measuring(0),
            { from: payer, ...ask },
            { ...call, ...termsIn(surroundings) },
            { from: laterPayer, ...ask },
            ...measuring(1),
          ],
        },
      ],
      traceTransfers: true,
      // Without validation nodes set the base fee to 0 and charge no fees.
      validation: surroundings.block !== undefined,
    },
    shape: simulated,
  });
  if ("refusal" in done) return done;
  checkBlock(place, surroundings, done);
  const { before, result, after, measured } = readCalls(place, done.calls, measures);
  const { status, returnData, gasUsed, logs, error } = result;
  if (status !== 1n) return { refusal: revertReason(returnData) ?? error?.message ?? "" };
  const price = priceOf(surroundings);
  // Some chains charge more than the gas, such as a fee for data. The first probe's payer paid it as well.
  const surcharge = payerFunds - after.second - before.gasUsed * price;
  return { logs, gained: after.first - before.first + gasUsed * price + surcharge, measured };
}

const balanceOf = (holder: Hex): Hex => `0x70a08231${padHex(holder).slice(2)}`;

const middle = z.tuple([balances, outcome, balances]);

/** The measurements before, the three calls, the measurements after. */
function readCalls({ chainId }: Place, calls: readonly unknown[], measures: readonly Measure[]) {
  const count = measures.length;
  const found = middle.safeParse(calls.slice(count, count + 3));
  if (!found.success || calls.length !== 2 * count + 3)
    throw new Error(`chain ${chainId}: the node's answer to eth_simulateV1 cannot be read`);
  const [before, result, after] = found.data;
  const measured = measures.map(({ token }, index) => {
    // The probe answers with two numbers, of which the second repeats the first.
    const read = (call: unknown): bigint | undefined =>
      token === null ? balances.safeParse(call).data?.first : answer.safeParse(call).data;
    const [was, is] = [read(calls[index]), read(calls[count + 3 + index])];
    return was === undefined || is === undefined ? null : is - was;
  });
  return { before, result, after, measured };
}

/** A node that ignores the block's values would simulate with its own, which contracts can detect. */
function checkBlock(
  { chainId }: Place,
  { block }: Surroundings,
  { miner, timestamp, baseFeePerGas }: z.infer<typeof simulated>,
): void {
  if (block === undefined) return;
  const isOurs =
    miner === lowerCase(block.feeRecipient) &&
    timestamp === block.time &&
    (block.baseFeePerGas === null || baseFeePerGas === block.baseFeePerGas);
  if (!isOurs) throw new Error(`chain ${chainId}: the node ignores the values of the simulated block`);
}
