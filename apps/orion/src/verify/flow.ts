import type { Clock } from "@countersign/platform/clock";
import { defineFlow, FlowCannotGoOn, type Flow } from "@countersign/platform/engine";
import type { Log } from "@countersign/platform/log";
import type { Hex } from "@countersign/wire";
import { Unavailable } from "../adapters/http/index.ts";
import type { Enclave } from "../adapters/enclave/index.ts";
import type { RecordClient } from "../adapters/record/index.ts";
import type { Judge } from "./judge.ts";

export const verifyFlowName = "orion-verify";

type Parts = {
  readonly record: Pick<RecordClient, "readStanding" | "attachProof">;
  readonly judge: Judge;
  /** Absent where there is no enclave. Then there is no proof, and none is claimed. */
  readonly enclave: Enclave | undefined;
  readonly clock: Clock;
  readonly log: Log;
  /** After so long a proof is done without: the verdict stands by its signature. */
  readonly proofPatienceMs: number;
};

const requestHashText = /^0x[0-9a-f]{64}$/;

type Proving = {
  readonly requestHash: Hex;
  readonly verdictHash: Hex;
  readonly enclave: Enclave;
  readonly since: number;
};

async function attachProof(
  { record, clock, log, proofPatienceMs }: Parts,
  { requestHash, verdictHash, enclave, since }: Proving,
): Promise<"attached" | "refused" | "given-up"> {
  try {
    return await record.attachProof(requestHash, await enclave.prove(verdictHash));
  } catch (error) {
    if (!(error instanceof Unavailable) || clock.now().getTime() - since < proofPatienceMs) throw error;
    log.warn("no proof for this verdict", { key: requestHash, reason: error.message });
    return "given-up";
  }
}

/**
 * One verification, keyed by the request hash: look, judge and post, attach the enclave's proof. The journal holds times,
 * hashes and outcomes. Started again after the engine has forgotten it, it finds the verdict and ends.
 */
export const makeVerifyFlow = (parts: Parts): Flow =>
  defineFlow({
    name: verifyFlowName,
    run: async ({ key, step }) => {
      if (!requestHashText.test(key)) throw new FlowCannotGoOn("the key is not a request hash");
      const requestHash = key as Hex;
      const { standing, at } = await step("look", async () => ({
        standing: (await parts.record.readStanding(requestHash)).kind,
        at: parts.clock.now().getTime(),
      }));
      if (standing === "judged") return;
      const { verdictHash } = await step("judge and post", () => parts.judge(requestHash, at));
      const { enclave } = parts;
      if (enclave === undefined || verdictHash === undefined) return;
      const since = await step("note the time", async () => parts.clock.now().getTime());
      await step("attach the proof", () => attachProof(parts, { requestHash, verdictHash, enclave, since }));
    },
  });
