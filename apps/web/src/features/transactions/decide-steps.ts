// The steps of a decision, derived from the service's record and the progress of this browser's request.
import type { TransactionView } from "@countersign/sdk";
import type { Progress } from "./outcome.ts";
import { isForOwnersWallet } from "./status.ts";

const sendingSteps = ["Review", "Sign", "Send", "Done"] as const;
const signingSteps = ["Review", "Sign", "Done"] as const;
type Step = (typeof sendingSteps)[number];

/** Whether the owner's wallet has to send it once it is approved. */
const ownerSends = ({ executor, execution }: TransactionView): boolean =>
  executor === "wallet" && execution !== 2;

const isOnItsWay = ({ phase }: TransactionView): boolean =>
  ["BROADCAST", "CONFIRMING", "EXECUTED", "SETTLED"].includes(phase);

/** Returns the steps to show, and the current one. `hasSent`: the wallet returned a transaction hash. */
export function stepsOf(
  transaction: TransactionView,
  { kind }: Progress,
  hasSent: boolean,
): { readonly steps: readonly Step[]; readonly step: Step } {
  const steps = ownerSends(transaction) ? sendingSteps : signingSteps;
  if (hasSent || isOnItsWay(transaction)) return { steps, step: "Done" };
  if (isForOwnersWallet(transaction)) return { steps, step: "Send" };
  if (kind === "recorded") return { steps, step: ownerSends(transaction) ? "Sign" : "Done" };
  return { steps, step: kind === "asked" || kind === "refused" ? "Review" : "Sign" };
}
