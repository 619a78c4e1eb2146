// Calls that EDR executes in other surroundings than the chain's: its chain has other ancestors and makes system calls of its own.
import { noCode, type Simulation, type Surrounding } from "@countersign/evm";
import type { Hex } from "@countersign/wire";
import type { EdrScene } from "./edr.ts";

const unreadable: readonly (readonly [Surrounding, string])[] = [
  ["BLOCKHASH", "the call reads the hash of a block"],
  ["BLOBBASEFEE", "the call reads the fee for blobs"],
];

/** EIP-4788 and EIP-2935: contracts that every block writes before its transactions. */
const systemContracts: readonly Hex[] = [
  "0x000f3df6d732807ef1319fb7b8bb8522d0beac02",
  "0x0000f90827f1c53a10cb7a02335b175320002935",
];

/** Returns why the second engine cannot have the same result; null if it can. */
export function whyUnsupported(
  { accounts, call, following, block }: Pick<EdrScene, "accounts" | "call" | "following" | "block">,
  simulation: Simulation,
): string | null {
  const reads = simulation.kind === "ran" ? simulation.reads : [];
  if (simulation.kind === "ran" && simulation.effects.outcome.relayer !== null)
    return "another account sends the transaction";
  const [, why] = unreadable.find(([name]) => reads.some(({ what }) => what === name)) ?? [];
  if (why !== undefined) return why;
  if (systemContracts.some((address) => (accounts[address]?.codeHash ?? noCode) !== noCode))
    return "the call reads a system contract";
  const gas = [call, ...following].reduce((sum, one) => sum + BigInt(one.gas), 0n);
  return gas > block.gasLimit ? "the calls have more gas than a block" : null;
}
