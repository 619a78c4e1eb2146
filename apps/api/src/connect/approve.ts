import type { Clock } from "@countersign/platform/clock";
import { newId } from "@countersign/platform/ids";
import type { Account } from "../accounts/index.ts";
import type { IssueKey } from "../api-keys/index.ts";
import { hashOfCode } from "./connection-code.ts";
import type { ConnectionKeys } from "./connection-keys.ts";
import { connectErrors } from "./errors.ts";
import { makeFindConnection } from "./find-connection.ts";
import type { ConnectStore } from "./store.ts";

type Parts = {
  readonly store: ConnectStore;
  readonly keys: ConnectionKeys;
  readonly issueKey: IssueKey;
  readonly clock: Clock;
};

type Approver = { readonly account: Account; readonly ip: string };

/** Gives the holder of the code a key of the approver's account. */
export const makeApprove = ({ store, keys, issueKey, clock }: Parts) => {
  const findConnection = makeFindConnection({ store });
  return async function approve(code: string, { account, ip }: Approver): Promise<void> {
    if ((await findConnection(code)).status !== "pending") throw connectErrors.notPending();
    const id = newId();
    const { key: secret, secretId } = await keys.make(code, id);
    const approval = { codeHash: hashOfCode(code), account, secretId, approverIp: ip };
    const name = `agent connection ${clock.now().toISOString().slice(0, 10)}`;
    await issueKey(
      { account, type: "user", label: "agent", name, expiresAt: null },
      {
        id,
        secret,
        add: async (key, usableAtMost) => {
          const added = await store.approve(approval, key, usableAtMost);
          if (added !== "not-pending") return added;
          // Another request was faster, or the code has just expired.
          await findConnection(code);
          throw connectErrors.notPending();
        },
      },
    );
  };
};
