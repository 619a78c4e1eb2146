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

/** What the agent asks again and again. The key is in one answer and in no other, ever. */
export const makePoll = ({ store, keys }: Parts) => {
  const findConnection = makeFindConnection({ store });
  return async function poll(code: string, verifier: string | undefined): Promise<Polled> {
    await store.expireConnections();
    const found = await findConnection(code, ({ codeChallenge }) =>
      answersChallenge(codeChallenge, verifier),
    );
    if (found.status === "pending") return { status: "pending" };
    if (found.status === "consumed") throw connectErrors.gone();
    // Before the code is used up: should the secret not open, the agent may ask again.
    const apiKey = await keys.remake(code, found.keyId, found.secretId);
    if (!(await store.consume(hashOfCode(code)))) throw connectErrors.gone();
    return { status: "ready", apiKey, walletAddress: shown(found.account) };
  };
};
