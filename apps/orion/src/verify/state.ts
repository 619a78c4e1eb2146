// The state of the chain for a proposal. Without one the verdict is made as if there were no simulator.
import type { Log } from "@countersign/platform/log";
import { safeTypedData, type Hex, type TypedData } from "@countersign/wire";
import { signedCalls } from "@countersign/wire/signed-calls";
import { Unavailable } from "../adapters/http/index.ts";
import type { Captured, Simulator } from "../adapters/simulator/index.ts";
import type { Examined } from "./examine.ts";
import { namesIn } from "./names.ts";

type Sound = Extract<Examined, { kind: "sound" }>;

export type StateParts = {
  /** Undefined: none is configured. */
  readonly simulator: Pick<Simulator, "capture"> | undefined;
  /** Whether calls that their sender encrypted may be shown to the simulator and its nodes. */
  readonly simulatesSealed: boolean;
  readonly log: Log;
};

type Simulated = Pick<Parameters<Simulator["capture"]>[0], "from" | "signer" | "calls">;

/** Undefined for a signature whose use is not known as calls, such as an order. */
function simulatedOf(content: Sound["content"]): Simulated | undefined {
  const { escrow } = content;
  if (content.version === 1) {
    const { to, value, data } = content;
    return { from: escrow, calls: [{ to, value, data }] };
  }
  switch (content.shape) {
    case "calls":
      return { from: escrow, calls: content.calls.calls };
    case "typedData":
      return signedBy(escrow, content.typedData);
    case "safeTransaction":
      return signedBy(escrow, safeTypedData(content.safeTransaction));
    // Neither of these moves anything when it is used, and an operation runs the account's own code.
    case "message":
    case "authorizationList":
    case "userOperation":
      return undefined;
  }
}

function signedBy(escrow: Hex, typedData: TypedData): Simulated | undefined {
  const signed = signedCalls(typedData, escrow);
  return signed && { from: signed.account, signer: escrow, calls: signed.calls };
}

/** Returns undefined if no state can be had. The reason is logged, never the proposal. */
export async function stateOf(
  { simulator, simulatesSealed, log }: StateParts,
  { content, privacy }: Sound,
): Promise<Captured | undefined> {
  if (simulator === undefined || (privacy === "encrypted by the sender" && !simulatesSealed))
    return undefined;
  const simulated = simulatedOf(content);
  if (simulated === undefined) return undefined;
  const { chainId, userPrompt } = content;
  try {
    return await simulator.capture({ chainId, ...simulated, names: namesIn(userPrompt) });
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    log.warn("verifying without a state", { reason: error.message });
    return undefined;
  }
}
