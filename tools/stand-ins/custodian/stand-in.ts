// A test double of the custodian: it has the same API, requires signed requests like the real one, holds keys of a
// development chain and sends with them. It can be told to misbehave in the ways that cost money.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Hex } from "viem";
import { generatePrivateKey, privateKeyToAccount, type PrivateKeyAccount } from "viem/accounts";
import { makeApi } from "./api.ts";
import { makeFaults, type Faults } from "./behaviours.ts";
import type { Call, Outcome } from "./call.ts";
import { makeChain } from "./chain.ts";
import { makeControl } from "./control.ts";
import type { Cosigner } from "./cosigner.ts";
import { makeDesk } from "./desk.ts";
import type { Claims } from "./tokens.ts";
import { makeTransactions, type Transactions } from "./transactions.ts";
import { makeUsers, type Users } from "./users.ts";

type Options = {
  readonly host?: string | undefined;
  readonly port?: number | undefined;
  /** Of a development chain. Without it nothing is sent. */
  readonly rpcUrl?: string | undefined;
  readonly chainId?: number | undefined;
  /** The asset id of that chain's native token. */
  readonly assetId?: string | undefined;
  readonly cosigner?: Cosigner | undefined;
  readonly now?: (() => number) | undefined;
};

/** The result of a request, with the claims of a valid token. */
type Seen = {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
  readonly claims: Claims | undefined;
  /** Undefined if it was never answered. */
  readonly status: number | undefined;
};

type Vault = { readonly vaultAccountId: string; readonly address: Hex };

export type CustodianStandIn = {
  /** The value of CUSTODIAN_URL. */
  readonly url: string;
  readonly makeVault: () => Promise<Vault>;
  readonly admit: Users["admit"];
  readonly behave: Faults["behave"];
  /** A co-signer is asked about every order from now on, or none is. */
  readonly setCosigner: (cosigner: Cosigner | undefined) => void;
  /** As after a day: from then on an order is known by its external id alone. */
  readonly forgetIdempotencyKeys: () => void;
  readonly accepted: () => Transactions["all"];
  /** To the API, oldest first. */
  readonly requests: () => readonly Seen[];
  readonly close: () => Promise<void>;
};

export async function startCustodianStandIn(options: Options): Promise<CustodianStandIn> {
  const { host = "127.0.0.1", port = 0, rpcUrl, chainId = 11_155_111, assetId = "ETH_TEST5" } = options;
  const vaults = new Map<string, PrivateKeyAccount>();
  const requests: Seen[] = [];
  let { cosigner } = options;
  const faults = makeFaults();
  const chain = rpcUrl === undefined ? undefined : makeChain(rpcUrl, chainId);
  const accountOf = (vault: string): PrivateKeyAccount => {
    const account = vaults.get(vault);
    if (account === undefined) throw new Error("no such vault");
    return account;
  };
  const desk = makeDesk({ chain, cosigner: () => cosigner, accountOf });
  const users = makeUsers(options.now ?? Date.now);
  const transactions = makeTransactions({ faults, assetId, begin: desk.begin });
  const makeVault = async (): Promise<Vault> => {
    const account = privateKeyToAccount(generatePrivateKey());
    const vaultAccountId = String(vaults.size);
    vaults.set(vaultAccountId, account);
    await chain?.fund(account.address);
    return { vaultAccountId, address: account.address };
  };
  const control = makeControl({ makeVault, users, faults, transactions });
  const api = makeApi({ users, faults, transactions, accountOf, assetId });
  const server = await listen(host, port, async (call) => {
    if (call.path.startsWith("/stand-in/")) return await control(call);
    const outcome = api(call);
    const status = "reply" in outcome ? outcome.reply.status : undefined;
    requests.push({ ...call, claims: outcome.claims, status });
    return outcome;
  });
  return {
    ...{ url: server.url, close: server.close, makeVault, admit: users.admit, behave: faults.behave },
    setCosigner: (next) => {
      cosigner = next;
    },
    forgetIdempotencyKeys: transactions.forgetIdempotencyKeys,
    accepted: () => transactions.all,
    requests: () => requests,
  };
}

type Listening = { readonly url: string; readonly close: () => Promise<void> };

async function listen(
  host: string,
  port: number,
  answer: (call: Call) => Promise<Outcome>,
): Promise<Listening> {
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = "", url: path = "", headers } = request;
    const outcome = await answer({ method, path, headers, body: await readBody(request) });
    if ("reply" in outcome) {
      response.writeHead(outcome.reply.status, { "content-type": "application/json" });
      response.end(JSON.stringify(outcome.reply.body));
    } else if (outcome.without === "hang-up") request.socket.resetAndDestroy();
  };
  const server = createServer((request, response) => {
    serve(request, response).catch((error: unknown) => response.destroy(error as Error));
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => {
        resolve();
      });
      server.closeAllConnections();
    });
  return { url: `http://${host}:${(server.address() as AddressInfo).port}`, close };
}

async function readBody(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString("utf8");
}
