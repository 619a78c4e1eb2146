// Composition of co-signing, where a custodian asks before it signs.
import type { Clock } from "@countersign/platform/clock";
import type { Route } from "@countersign/platform/http";
import type { Log } from "@countersign/platform/log";
import type { Execution, Keepers } from "./execution.ts";
import type { SecretStore } from "../platform/secrets/index.ts";
import {
  makeAnswerCosigner,
  makeCallbackKey,
  makeCheckProposal,
} from "../transactions/execute/cosign/index.ts";
import { cosignRoutes } from "../transactions/execute/cosign/routes.ts";
import type { TransactionStore } from "../transactions/store/index.ts";

type Parts = {
  readonly clock: Clock;
  readonly log: Log;
  readonly secrets: SecretStore;
  readonly keepers: Pick<Keepers, "custody">;
  readonly store: TransactionStore;
  readonly execution: Pick<Execution, "readVerdict" | "preflight">;
};

/** A custodian asks for all its customers from a few addresses. */
const questionsPerMinute = 6_000;

export function makeCosigning({ clock, log, secrets, keepers, store, execution }: Parts): readonly Route[] {
  const { readVerdict, preflight } = execution;
  const answerCosigner = makeAnswerCosigner({
    ...{ custody: keepers.custody, store, clock, log },
    checkProposal: makeCheckProposal({ store, readVerdict, preflight, clock, log }),
    callbackKey: makeCallbackKey(secrets),
  });
  return cosignRoutes({ answerCosigner, questionsPerMinute });
}
