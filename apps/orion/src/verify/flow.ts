import type { Clock } from "@countersign/platform/clock";
import { defineFlow, FlowCannotGoOn, type Flow } from "@countersign/platform/engine";
import type { Log } from "@countersign/platform/log";
import type { Hex } from "@countersign/wire";
import type { Enclave } from "../adapters/enclave/index.ts";
import type { RecordClient } from "../adapters/record/index.ts";
import { makeProve } from "./attach-proof.ts";
import type { VerifyAndPost } from "./verify-and-post.ts";

export const verifyFlowName = "orion-verify";

type Parts = {
  readonly record: Pick<RecordClient, "readStanding" | "attachProof">;
  readonly verifyAndPost: VerifyAndPost;
  /** Undefined without an enclave. Then there is no proof, and none is claimed. */
  readonly enclave: Enclave | undefined;
  readonly clock: Clock;
  readonly log: Log;
  /** How long a proof is waited for. The verdict is valid by its signature alone. */
  readonly proofPatienceMs: number;
};

const requestHashText = /^0x[0-9a-f]{64}$/;

/**
 * One verification of a proposal that was recorded or announced alone, keyed by the request hash: verifies and posts, then attaches the enclave's proof. The
 * journal contains times, hashes and outcomes. If it is started again after the engine has forgotten it, it
 * finds the verdict and ends.
 */
export const makeVerifyFlow = (parts: Parts): Flow =>
  defineFlow({
    name: verifyFlowName,
    run: async ({ key, step, joinTrace }) => {
      if (!requestHashText.test(key)) throw new FlowCannotGoOn("the key is not a request hash");
      const requestHash = key as Hex;
      const { standing, at, traceparent } = await step("look", async () => {
        const { kind, ...found } = await parts.record.readStanding(requestHash);
        const trace = "traceparent" in found ? { traceparent: found.traceparent } : {};
        return { standing: kind, at: parts.clock.now().getTime(), ...trace };
      });
      if (standing === "decided") return;
      // Found on the chain, it comes without a trace; the main service knows it.
      joinTrace(traceparent);
      const { verdictHash } = await step("verify and post", () => parts.verifyAndPost(requestHash, at));
      const { enclave } = parts;
      if (enclave === undefined || verdictHash === undefined) return;
      const since = await step("note the time", async () => parts.clock.now().getTime());
      await step("attach the proof", () => makeProve(parts, enclave)({ requestHash, verdictHash, since }));
    },
  });
