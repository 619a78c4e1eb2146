import type { Clock } from "@countersign/platform/clock";
import type { Log } from "@countersign/platform/log";
import type { Hex } from "@countersign/wire";
import type { Enclave } from "../adapters/enclave/index.ts";
import { Unavailable } from "../adapters/http/index.ts";
import type { RecordClient } from "../adapters/record/index.ts";

type Parts = {
  readonly record: Pick<RecordClient, "attachProof">;
  readonly clock: Clock;
  readonly log: Log;
  /** How long a proof is waited for. The verdict is valid by its signature alone. */
  readonly proofPatienceMs: number;
};

type Proving = {
  readonly requestHash: Hex;
  readonly verdictHash: Hex;
  /** When the verdict was posted, in milliseconds. */
  readonly since: number;
};

/** Returns the function that attaches the enclave's proof of a verdict. It throws `Unavailable` for what may still come. */
export const makeProve =
  ({ record, clock, log, proofPatienceMs }: Parts, enclave: Enclave) =>
  async ({ requestHash, verdictHash, since }: Proving): Promise<"attached" | "refused" | "given-up"> => {
    try {
      return await record.attachProof(requestHash, await enclave.prove(verdictHash));
    } catch (error) {
      if (!(error instanceof Unavailable) || clock.now().getTime() - since < proofPatienceMs) throw error;
      log.warn("no enclave proof for this verdict", { key: requestHash, reason: error.message });
      return "given-up";
    }
  };
