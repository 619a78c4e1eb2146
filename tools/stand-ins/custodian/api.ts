// The part of the custodian's API that we use.
import type { PrivateKeyAccount } from "viem/accounts";
import type { Faults, FaultOf } from "./behaviours.ts";
import type { Call, Outcome } from "./call.ts";
import { describe, type Reply, type Transactions } from "./transactions.ts";
import type { User, Users } from "./users.ts";

type Options = {
  readonly users: Users;
  readonly faults: Faults;
  readonly transactions: Transactions;
  readonly accountOf: (vault: string) => PrivateKeyAccount;
  readonly assetId: string;
};

const notFound: Reply = { status: 404, body: { code: 1004, message: "Not found" } };
const headerOf = ({ headers }: Call, name: string): string | undefined => {
  const value = headers[name];
  return typeof value === "string" ? value : undefined;
};

export function makeApi(options: Options): (call: Call) => Outcome {
  const { users, faults } = options;
  return (call) => {
    const fault = faults.take("request");
    if (fault === "down") return { without: "hang-up" };
    const apiKey = headerOf(call, "x-api-key") ?? "";
    const authorization = headerOf(call, "authorization") ?? "";
    // Some repeat what they were sent when they refuse it.
    if (fault === "refuses") return { reply: unauthorized(`refused: ${apiKey} ${authorization}`) };
    const proven = users.authenticate({ path: call.path, body: call.body, apiKey, authorization });
    if (typeof proven === "string") return { reply: unauthorized(proven) };
    const { user, claims } = proven;
    return {
      claims,
      ...(isOrder(call) ? takeOrder(options, user, call) : { reply: answer(options, user, call) }),
    };
  };
}

const unauthorized = (message: string): Reply => ({ status: 401, body: { code: -7, message } });

const isOrder = ({ method, path }: Call): boolean => method === "POST" && path === "/v1/transactions";

function takeOrder({ transactions }: Options, user: User, call: Call): Outcome {
  const { reply, fault } = transactions.create(user, call.body, headerOf(call, "idempotency-key"));
  return fault === undefined ? { reply } : (afterAccept[fault] ?? { reply });
}

/** The order is accepted, but the response is lost. */
const afterAccept: Partial<Record<FaultOf<"order">, Outcome>> = {
  "timeout-after-accept": { without: "silence" },
  "drop-after-accept": { without: "hang-up" },
  "error-after-accept": { reply: { status: 500, body: { message: "Internal error" } } },
};

function answer(options: Options, user: User, { method, path }: Call): Reply {
  const segments = new URL(path, "http://custodian").pathname.split("/").slice(1).map(decodeURIComponent);
  const [version, resource, ...rest] = segments;
  if (version !== "v1") return notFound;
  if (method === "GET" && resource === "vault") return readVault(options, user, rest);
  if (resource === "transactions") return aboutTransaction(options, user, method, rest);
  return notFound;
}

function readVault({ accountOf, assetId }: Options, user: User, rest: readonly string[]): Reply {
  const [accounts, id = "", asset, what] = rest;
  if (accounts !== "accounts" || !user.vaults.has(id)) return notFound;
  const { address } = accountOf(id);
  if (asset === undefined)
    return { status: 200, body: { id, name: `Vault ${id}`, assets: [{ id: assetId, total: "0" }] } };
  if (asset !== assetId || what !== "addresses_paginated") return notFound;
  return { status: 200, body: { addresses: [{ assetId, address, type: "Permanent" }], paging: {} } };
}

function aboutTransaction(
  { transactions, faults }: Options,
  user: User,
  method: string,
  [first = "", second]: readonly string[],
): Reply {
  if (method === "GET" && first === "external_tx_id") {
    const found =
      faults.take("search") === "lost" ? undefined : transactions.find(user, { externalTxId: second ?? "" });
    return found === undefined ? notFound : { status: 200, body: describe(found) };
  }
  const found = transactions.find(user, { id: first });
  if (found === undefined) return notFound;
  if (method === "GET" && second === undefined) return { status: 200, body: describe(found) };
  return method === "POST" && second === "cancel" ? transactions.cancel(found) : notFound;
}
