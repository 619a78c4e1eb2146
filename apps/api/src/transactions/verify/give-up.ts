import { newId } from "@countersign/platform/ids";
import { isTerminal } from "../lifecycle.ts";
import type { Hex } from "../transaction.ts";
import type { Transition } from "../transition.ts";

export type GiveUp = (requestHash: Hex) => Promise<void>;

/** Records our own, unsigned verdict: it only says that there was none in time. */
export const makeGiveUpWaiting =
  ({ transition }: { readonly transition: Pick<Transition, "change"> }): GiveUp =>
  async (requestHash) => {
    await transition.change({ requestHash }, (current) =>
      current.orion !== null || isTerminal(current)
        ? undefined
        : {
            events: ["verdictUndecided"],
            approval: {
              ...{ id: newId(), kind: "orion", decision: "UNDECIDED", type: "orion" },
              ...{ approver: null, apiKeyId: null, label: null, confidence: 0 },
              analysis: "no verdict in time",
              ...{ attestation: null, reportHash: null, verdictSeen: null },
            },
            facts: { verdictAt: "now" },
          },
    );
  };
