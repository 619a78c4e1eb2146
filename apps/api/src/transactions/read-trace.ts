import type { FlowStore } from "../platform/flows/index.ts";
import { transactionFlow, verificationFlow } from "./transaction.ts";

/** Returns the trace in which a transaction was proposed, as a traceparent. Undefined if it is not known. */
export type ReadTrace = (requestHash: string) => Promise<string | undefined>;

/** The trace is stored with the first flow of the transaction, which was accepted in the same statement. */
export const makeReadTrace =
  ({ readTraceparent }: Pick<FlowStore, "readTraceparent">): ReadTrace =>
  async (requestHash) =>
    (await readTraceparent({ flow: verificationFlow, key: requestHash })) ??
    readTraceparent({ flow: transactionFlow, key: requestHash });
