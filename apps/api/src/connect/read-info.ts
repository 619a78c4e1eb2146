import { prefixOf } from "./connection-code.ts";
import { connectErrors } from "./errors.ts";
import { makeFindConnection, type LiveConnection } from "./find-connection.ts";
import type { ConnectStore } from "./store.ts";

type Info = Pick<LiveConnection, "createdAt" | "expiresAt" | "initiatorIp" | "userAgent"> & {
  readonly status: "pending" | "ready";
  readonly codePrefix: string;
};

/** Returns what the owner must see before approving: who asked, when, and from where. */
export const makeReadInfo = ({ store }: { readonly store: ConnectStore }) => {
  const findConnection = makeFindConnection({ store });
  return async function readInfo(code: string): Promise<Info> {
    const { status, createdAt, expiresAt, initiatorIp, userAgent } = await findConnection(code);
    if (status === "consumed") throw connectErrors.gone();
    return { status, createdAt, expiresAt, initiatorIp, userAgent, codePrefix: prefixOf(code) };
  };
};
