import { newId } from "@countersign/platform/ids";
import type { Account } from "../accounts/index.ts";
import { mandateErrors } from "./errors.ts";
import type { MandateRequest, MandateRequestStore } from "./store/requests.ts";
import type { Draft } from "./terms.ts";

const openAtMost = 20;

type Agent = { readonly account: Account; readonly agent: string | undefined };

export type AskForMandate = ReturnType<typeof makeAskForMandate>;

/** Records that an agent asks its owner for a mandate. It grants nothing. Throws if the draft names another agent. */
export const makeAskForMandate =
  ({ requests }: { readonly requests: Pick<MandateRequestStore, "add"> }) =>
  async ({ account, agent }: Agent, draft: Draft): Promise<MandateRequest> => {
    if (agent === undefined || draft.agent !== agent) throw mandateErrors.otherAgent();
    const added = await requests.add({ id: newId(), account, agent, draft }, openAtMost);
    if (added === undefined) throw mandateErrors.tooManyRequests();
    return added;
  };
