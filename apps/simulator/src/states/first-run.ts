// The run of the JavaScript engine, as the second engine gets it.
import { engineResultOf, hashWitness, nextBlock, readHeader } from "@countersign/evm";
import { whyUnsupported, type FirstRun } from "../second-engine/index.ts";
import type { Captured } from "./capture.ts";

export function firstRunOf({ witness, simulation }: Pick<Captured, "witness" | "simulation">): FirstRun {
  const { chainId, hardfork, call, following = [], accounts, codes, headers } = witness;
  const block = nextBlock(readHeader(headers[0] ?? "0x", hardfork));
  // Calls after one that fails are not made.
  const made = simulation.kind === "ran" ? simulation.effects.outcome.calls - 1 : following.length;
  const scene = { chainId, hardfork, call, following: following.slice(0, made), accounts, codes, block };
  return {
    ...{ scene, state: hashWitness(witness), result: engineResultOf(simulation) },
    unsupported: whyUnsupported(scene, simulation),
  };
}
