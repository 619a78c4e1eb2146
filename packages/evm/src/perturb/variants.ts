// The same call in other blocks. Values that the run did not read cannot change it, so only the others are varied.
import { keccak256 } from "viem/utils";
import type { Hex } from "@countersign/wire";
import { addressIn, quantity, word, zeroAddress, zeroHash } from "../hex.ts";
import { relayerOf } from "../engine/execute.ts";
import type { Scene } from "../engine/scene-type.ts";
import type { BlockValues } from "../engine/next-block.ts";
import type { Outcome } from "../engine/outcome.ts";
import type { Surrounding } from "../engine/watched-opcodes.ts";
import { limits, type Call } from "../witness.ts";

export type Knob =
  "fees" | "coinbase" | "randomness" | "gas limit" | "number" | "block hashes" | "time" | "gas" | "wallet";
export type Variant = { readonly knob: Knob; readonly name: string; readonly scene: Scene };

type Change = { readonly block?: Partial<BlockValues>; readonly call?: Partial<Call> };
type Named = readonly [name: string, change: Change];

const change = (scene: Scene, { block, call }: Change): Scene => ({
  ...scene,
  block: { ...scene.block, ...block },
  call: { ...scene.call, ...call },
  ...(scene.following !== undefined &&
    call?.gas !== undefined && {
      following: scene.following.map((one) => ({ ...one, ...call })),
    }),
});

/** The base fee and the price of gas. The maximum fee follows, or the transaction could not be in the block. */
function varyFees({ block, call }: Scene): readonly Named[] {
  const [base, tip] = [block.baseFeePerGas, BigInt(call.maxPriorityFeePerGas)];
  const at = (baseFeePerGas: bigint, offered: bigint): Change => ({
    block: { baseFeePerGas },
    call: { maxFeePerGas: quantity(baseFeePerGas + offered), maxPriorityFeePerGas: quantity(offered) },
  });
  return [
    ["no fees", at(0n, 0n)],
    ["half the base fee", at(base / 2n, tip)],
    ["twice the base fee", at(base * 2n, tip)],
    ["a high tip", at(base, tip * 20n + 1n)],
  ];
}

function varyCoinbase({ block }: Scene): readonly Named[] {
  return [
    ["no proposer", { block: { coinbase: zeroAddress } }],
    ["an unused proposer", { block: { coinbase: addressIn(keccak256(block.prevRandao)) } }],
  ];
}

const draws = 12;
function varyRandomness({ block }: Scene): readonly Named[] {
  let drawn = block.prevRandao;
  const all: Named[] = [["no randomness", { block: { prevRandao: zeroHash } }]];
  for (let count = 1; count <= draws; count++) {
    drawn = keccak256(drawn);
    all.push([`draw ${count}`, { block: { prevRandao: drawn } }]);
  }
  return all;
}

const varyGasLimit = (): readonly Named[] =>
  [30_000_000n, 2n ** 31n].map((gasLimit) => [gasLimit.toString(), { block: { gasLimit } }]);

const varyNumber = ({ block: { number } }: Scene): readonly Named[] =>
  [1n, 2n, 25n, 300n].map((more) => [
    `${more.toString()} blocks later`,
    { block: { number: number + more } },
  ]);

/** Odd and even: a contract can look at the last digits. */
const varyTime = ({ block: { timestamp } }: Scene): readonly Named[] =>
  [1n, 2n, 12n, 61n, 3_607n, 86_400n].map((more) => [
    `${more.toString()} s later`,
    { block: { timestamp: timestamp + more } },
  ]);

const varyGas = (gasUsed: bigint): readonly Named[] =>
  [(gasUsed * 13n) / 10n + 10_000n, limits.gas].map((gas) => [
    `${gas.toString()} gas`,
    { call: { gas: quantity(gas < limits.gas ? gas : limits.gas) } },
  ]);

/** A wallet may make several calls in one transaction, and any account may send what a contract executes. */
function varyWallet(scene: Scene, { reads, relayer, succeeded }: Ran): readonly Variant[] {
  const sentBy = (name: string, account: Hex): Variant => ({
    ...{ knob: "wallet", name },
    scene: { ...scene, relayer: account },
  });
  if (relayer !== null)
    return reads.has("ORIGIN") ? [sentBy("sent by another account", addressIn(keccak256(relayer)))] : [];
  // Of calls that fail, those before the failure were made one by one, and none would be in one transaction.
  return scene.following === undefined || !succeeded
    ? []
    : [sentBy("all calls in one transaction", relayerOf(scene))];
}

/** Blocks after the proven one have no hash yet. Any will do, as long as it is the same each time. */
function withLaterHashes(scene: Scene, next: bigint): Scene {
  const later = Array.from({ length: 300 }, (_, at): [bigint, Hex] => {
    const number = next + BigInt(at);
    return [number, keccak256(word(number))];
  });
  return { ...scene, blockHashes: new Map([...scene.blockHashes, ...later]) };
}

const withoutHashes = (scene: Scene): Scene => ({
  ...scene,
  blockHashes: new Map([...scene.blockHashes.keys()].map((number) => [number, zeroHash])),
});

/** The run of the scene itself. */
type Ran = Pick<Outcome, "succeeded" | "gasUsed" | "relayer"> & { readonly reads: ReadonlySet<Surrounding> };

/** Returns the variants of everything in `reads`. */
export function listVariants(scene: Scene, ran: Ran): readonly Variant[] {
  const { reads, gasUsed } = ran;
  const has = (...some: readonly Surrounding[]): boolean => some.some((one) => reads.has(one));
  const vary = (knob: Knob, named: readonly Named[]): readonly Variant[] =>
    named.map(([name, one]) => ({ knob, name, scene: change(scene, one) }));
  return [
    ...(has("BASEFEE", "GASPRICE") ? vary("fees", varyFees(scene)) : []),
    ...(has("COINBASE") ? vary("coinbase", varyCoinbase(scene)) : []),
    ...(has("PREVRANDAO") ? vary("randomness", varyRandomness(scene)) : []),
    ...(has("GASLIMIT") ? vary("gas limit", varyGasLimit()) : []),
    ...(has("NUMBER", "BLOCKHASH")
      ? vary("number", varyNumber(scene)).map((one) => ({
          ...one,
          scene: withLaterHashes(one.scene, scene.block.number),
        }))
      : []),
    ...(has("BLOCKHASH")
      ? [{ knob: "block hashes" as const, name: "no hashes", scene: withoutHashes(scene) }]
      : []),
    ...(has("TIMESTAMP") ? vary("time", varyTime(scene)) : []),
    ...(has("GAS") ? vary("gas", varyGas(gasUsed)) : []),
    ...varyWallet(scene, ran),
  ];
}
