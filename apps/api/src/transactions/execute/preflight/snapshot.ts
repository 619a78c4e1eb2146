// The effect of a call as of one block, in a form that can be stored and compared.
import { z } from "zod";
import type { ChainSimulator, SimulatedCall, Simulation } from "../../../adapters/chain/index.ts";
import type { Hex } from "../../transaction.ts";
import { effectsOn } from "./effects.ts";

const address = z.custom<Hex>((text) => typeof text === "string" && /^0x[0-9a-f]{40}$/.test(text));
const hash = z.custom<Hex>((text) => typeof text === "string" && /^0x[0-9a-f]{64}$/.test(text));
const decimal = z.string().regex(/^(?:0|[1-9]\d{0,99})$/);
const id = z.union([decimal, z.literal("new")]).nullable();
const movement = z.strictObject({ asset: address, id, party: address, amount: decimal }).readonly();
const kind = z.enum(["amount", "item", "all", "permit2"]);
const allowance = z.strictObject({ kind, asset: address, id, spender: address, amount: decimal }).readonly();
const unreadable = z.strictObject({ address, digest: hash, times: z.int().min(1) }).readonly();

const snapshot = z
  .strictObject({
    /** The block it would have followed. */
    block: decimal,
    succeeded: z.boolean(),
    reason: z.string().nullable(),
    /** How much native token the wallet would have gained; negative if it lost. */
    gained: z.string().regex(/^(?:0|-?[1-9]\d{0,99})$/),
    effects: z
      .strictObject({
        out: z.array(movement).readonly(),
        in: z.array(movement).readonly(),
        allowances: z.array(allowance).readonly(),
        unreadable: z.array(unreadable).readonly(),
      })
      .readonly(),
    /** By address: the hash of all reached code, and of both ends even if they have none. */
    code: z.record(address, hash).readonly(),
  })
  .readonly();

export type Snapshot = z.infer<typeof snapshot>;

/** Throws unless it is a complete snapshot. */
export function readSnapshot(kept: unknown): Snapshot {
  const read = snapshot.safeParse(kept);
  if (!read.success) throw new Error("the stored snapshot is malformed");
  return read.data;
}

const noCode: Hex = "0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470";

type Chain = Pick<ChainSimulator, "simulate" | "readCodeHashes">;

/** Throws when the node cannot be reached, or does not support a method. */
export async function takeSnapshot(chain: Chain, call: SimulatedCall): Promise<Snapshot> {
  return (await lookAt(chain, call)).snapshot;
}

/** Returns the snapshot, and the simulation that it was made from. */
export async function lookAt(
  chain: Chain,
  call: SimulatedCall,
): Promise<{ readonly snapshot: Snapshot; readonly simulation: Simulation }> {
  const [from, to] = [call.from.toLowerCase() as Hex, call.to.toLowerCase() as Hex];
  const simulation = await chain.simulate({ ...call, from, to });
  return { simulation, snapshot: await snapshotOf(chain, { from, to }, simulation) };
}

async function snapshotOf(
  chain: Chain,
  { from, to }: Pick<SimulatedCall, "from" | "to">,
  { block, succeeded, reason, gained, logs, touched }: Simulation,
): Promise<Snapshot> {
  const ends = [from, to];
  const hashes = await chain.readCodeHashes([...ends, ...touched], block);
  const code = [...hashes].filter(([one, found]) => ends.includes(one) || found !== noCode);
  return {
    ...{ block: block.toString(), succeeded, reason, gained: gained.toString() },
    effects: effectsOn(from, logs),
    code: Object.fromEntries(code.sort(([one], [other]) => (one < other ? -1 : 1))),
  };
}
