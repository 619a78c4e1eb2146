import { hashOfCode, isWellFormedCode } from "./connection-code.ts";
import { connectErrors } from "./errors.ts";
import type { Connection, ConnectStore } from "./store.ts";

export type LiveConnection = Exclude<Connection, { readonly status: "expired" }>;

/** The connection of a code, unless there is none or its time is over; then its key, if it has one, goes with it. */
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
