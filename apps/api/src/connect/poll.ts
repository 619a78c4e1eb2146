import { shown } from "../accounts/index.ts";
import { answersChallenge, hashOfCode } from "./connection-code.ts";
import type { ConnectionKeys } from "./connection-keys.ts";
import { connectErrors } from "./errors.ts";
import { makeFindConnection } from "./find-connection.ts";
import type { ConnectStore } from "./store.ts";

type Parts = { readonly store: ConnectStore; readonly keys: ConnectionKeys };

type Polled =
  | { readonly status: "pending" }
  | { readonly status: "ready"; readonly apiKey: string; readonly walletAddress: string };

/** Answers the agent's poll. Exactly one answer contains the key. */
export const makePoll = ({ store, keys }: Parts) => {
  const findConnection = makeFindConnection({ store });
  return async function poll(code: string, verifier: string | undefined): Promise<Polled> {
    await store.expireConnections();
    const found = await findConnection(code, ({ codeChallenge }) =>
      answersChallenge(codeChallenge, verifier),
    );
    if (found.status === "pending") return { status: "pending" };
    if (found.status === "consumed") throw connectErrors.gone();
    // Derived before the code is consumed: if the secret cannot be read, the agent may ask again.
    const apiKey = await keys.remake(code, found.keyId, found.secretId);
    if (!(await store.consume(hashOfCode(code)))) throw connectErrors.gone();
    return { status: "ready", apiKey, walletAddress: shown(found.account) };
  };
};
