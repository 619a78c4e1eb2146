import { isInPerson, proposerOf, type Caller } from "../caller.ts";
import type { Transition } from "../transition.ts";
import { transactionErrors } from "../errors.ts";
import { isPending } from "../lifecycle.ts";
import type { Hex } from "../transaction.ts";

type Parts = { readonly transition: Pick<Transition, "change"> };

/** Withdraws a pending proposal, for its proposer and the owner. */
export const makeWithdraw = ({ transition }: Parts) =>
  async function withdraw(requestHash: Hex, caller: Caller): Promise<void> {
    const changed = await transition.change({ requestHash }, (current) => {
      if (!isInPerson(caller, current.account) && proposerOf(caller) !== current.proposer)
        throw transactionErrors.notYours();
      if (!isPending(current)) throw transactionErrors.notPending();
      return { events: ["withdraw"] };
    });
    if (changed === undefined) throw transactionErrors.notFound();
  };
