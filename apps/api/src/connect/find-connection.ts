import { hashOfCode, isWellFormedCode } from "./connection-code.ts";
import { connectErrors } from "./errors.ts";
import type { Connection, ConnectStore } from "./store.ts";

export type LiveConnection = Exclude<Connection, { readonly status: "expired" }>;

/** Returns the connection of a code. Rejects an unknown or expired code, and revokes the key of an expired one. */
export const makeFindConnection = ({ store }: { readonly store: ConnectStore }) =>
  async function findConnection(
    code: string,
    isForCaller: (connection: Connection) => boolean = () => true,
  ): Promise<LiveConnection> {
    const codeHash = hashOfCode(code);
    const found = isWellFormedCode(code) ? await store.find(codeHash) : undefined;
    if (found === undefined || !isForCaller(found)) throw connectErrors.notFound();
    if (found.status !== "expired") return found;
    await store.expireConnections(codeHash);
    throw connectErrors.gone();
  };
