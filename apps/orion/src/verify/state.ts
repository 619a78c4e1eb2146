// The state of the chain for a proposal. Without one the verdict is made as if there were no simulator.
import type { Log } from "@countersign/platform/log";
import { Unavailable } from "../adapters/http/index.ts";
import type { Simulator } from "../adapters/simulator/index.ts";
import type { Examined } from "./examine.ts";

type Sound = Extract<Examined, { kind: "sound" }>;

export type StateParts = {
  /** Undefined: none is configured. */
  readonly simulator: Pick<Simulator, "capture"> | undefined;
  /** Whether calls that their sender encrypted may be shown to the simulator and its nodes. */
  readonly simulatesSealed: boolean;
  readonly log: Log;
};

/** Returns undefined if no state can be had. The reason is logged, never the proposal. */
export async function stateOf(
  { simulator, simulatesSealed, log }: StateParts,
  { content, privacy }: Sound,
): Promise<object | undefined> {
  if (simulator === undefined || (privacy === "encrypted by the sender" && !simulatesSealed))
    return undefined;
  // A signature runs nothing yet.
  if (content.version !== 1) return undefined;
  const { chainId, escrow: from, to, value, data } = content;
  try {
    return await simulator.capture({ chainId, from, to, value, data });
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    log.warn("verifying without a state", { reason: error.message });
    return undefined;
  }
}
