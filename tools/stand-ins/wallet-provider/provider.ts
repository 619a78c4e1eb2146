// The provider without its HTTP API: quorums, wallets, and their transactions.
import { randomUUID } from "node:crypto";
import type { Hex } from "viem";
import type { PrivateKeyAccount } from "viem/accounts";
import { isSignedBy, readP256Key, type Asked, type Quorum } from "./authorize.ts";
import type { Call, Chain } from "./chain.ts";

type Wallet = {
  readonly id: string;
  readonly account: PrivateKeyAccount;
  readonly ownerQuorumId: string;
};

export type Transaction = Call & {
  readonly id: string;
  readonly walletId: string;
  readonly referenceId: string;
  /** Null if it never was sent. */
  readonly hash: Hex | null;
  status: string;
};

export type Answer = { readonly status: number; readonly body: unknown };

/** The side effects of an order. */
export type Doing = "send" | "send another amount" | "fail";

const refuse = (status: number, error: string): Answer => ({ status, body: { error } });
const idOf = (): string => randomUUID().replaceAll("-", "");

const shownQuorum = ({ id, displayName, publicKeys, threshold }: Quorum) => ({
  id,
  display_name: displayName,
  authorization_threshold: threshold,
  authorization_keys: publicKeys.map((key) => ({ public_key: key, display_name: null })),
});

function readQuorum(id: string, body: Asked["body"]): Quorum | undefined {
  const { public_keys: keys, authorization_threshold: threshold, display_name: name } = body;
  if (!Array.isArray(keys) || typeof threshold !== "number" || typeof name !== "string") return undefined;
  if (keys.length === 0 || new Set(keys).size !== keys.length || !keys.every((key) => readP256Key(key)))
    return undefined;
  if (!Number.isInteger(threshold) || threshold < 1 || threshold > keys.length || name.length > 50)
    return undefined;
  return { id, displayName: name, publicKeys: keys.map(String), threshold };
}

type Order = Call & { readonly referenceId: string };

const hex = /^0x(?:[0-9a-fA-F]{2})*$/;

function readOrder({
  method,
  caip2,
  chain_type: type,
  reference_id: id,
  params,
}: Asked["body"]): Order | undefined {
  const chainId = /^eip155:(\d+)$/.exec(String(caip2))?.[1];
  if (method !== "eth_sendTransaction" || type !== "ethereum" || chainId === undefined) return undefined;
  if (typeof id !== "string" || id.length > 64) return undefined;
  const { transaction } = (params ?? {}) as { readonly transaction?: Readonly<Record<string, unknown>> };
  const { to, value, data } = transaction ?? {};
  if (!/^0x[0-9a-fA-F]{40}$/.test(String(to)) || !hex.test(String(data))) return undefined;
  if (!/^0x(0|[1-9a-f][0-9a-f]*)$/.test(String(value))) return undefined;
  return {
    referenceId: id,
    chainId: Number(chainId),
    to: to as Hex,
    value: BigInt(value as string),
    data: data as Hex,
  };
}

type State = {
  readonly quorums: Map<string, Quorum>;
  readonly wallets: Map<string, Wallet>;
  readonly transactions: Transaction[];
};

const makeQuorums = ({ quorums, wallets }: State) => {
  const put = (id: string, body: Asked["body"]): Answer => {
    const quorum = readQuorum(id, body);
    if (quorum === undefined) return refuse(400, "not a quorum");
    quorums.set(id, quorum);
    return { status: 200, body: shownQuorum(quorum) };
  };
  return {
    createQuorum: ({ body }: Asked): Answer => put(idOf(), body),

    /** Read by the app alone; changed by its own members. */
    doQuorum: (id: string, asked: Asked): Answer => {
      const quorum = quorums.get(id);
      if (quorum === undefined) return refuse(404, "no such quorum");
      if (asked.method === "GET") return { status: 200, body: shownQuorum(quorum) };
      if (!isSignedBy(quorum, asked)) return refuse(401, "not signed by the quorum");
      if (asked.method === "PATCH") return put(id, asked.body);
      if ([...wallets.values()].some(({ ownerQuorumId }) => ownerQuorumId === id))
        return refuse(400, "the quorum has wallets");
      quorums.delete(id);
      return { status: 200, body: { success: true } };
    },
  };
};

const makeWallets = ({ wallets }: State, chain: Chain) => ({
  makeWallet: async (ownerQuorumId: string): Promise<Wallet> => {
    const wallet = { id: idOf(), account: await chain.makeAccount(), ownerQuorumId };
    wallets.set(wallet.id, wallet);
    return wallet;
  },

  readWallet: (id: string): Answer => {
    const wallet = wallets.get(id);
    if (wallet === undefined) return refuse(404, "no such wallet");
    const { account, ownerQuorumId } = wallet;
    return {
      status: 200,
      body: { id, address: account.address, chain_type: "ethereum", owner_id: ownerQuorumId },
    };
  },
});

/** Sends an order. Returns undefined if the chain rejects it. */
async function sendOrder(
  chain: Chain,
  wallet: Wallet,
  order: Order,
  doing: Doing,
): Promise<Transaction | undefined> {
  const call = doing === "send another amount" ? { ...order, value: order.value + 1n } : order;
  const made = { ...call, id: idOf(), walletId: wallet.id };
  if (doing === "fail") return { ...made, hash: null, status: "failed" };
  const hash = await chain.send(wallet.account, call).catch(() => undefined);
  return hash && { ...made, hash, status: "broadcasted" };
}

const shownSent = ({ id, hash, chainId, referenceId }: Transaction) => ({
  method: "eth_sendTransaction",
  data: { hash: hash ?? "", transaction_id: id, caip2: `eip155:${chainId}`, reference_id: referenceId },
});

const shownTransaction = ({ id, walletId, status, hash, chainId }: Transaction) => ({
  ...{ id, status, wallet_id: walletId, transaction_hash: hash, caip2: `eip155:${chainId}` },
});

const makeSending = ({ quorums, wallets, transactions }: State, chain: Chain) => {
  // One after the other: two from one wallet would take the same nonce.
  let last: Promise<unknown> = Promise.resolve();
  const sendNow = async (wallet: Wallet, order: Order, doing: Doing): Promise<Answer> => {
    if (transactions.some(({ referenceId }) => referenceId === order.referenceId))
      return refuse(400, "the reference_id was used already");
    const transaction = await sendOrder(chain, wallet, order, doing);
    if (transaction === undefined) return refuse(400, "the node does not take it");
    transactions.push(transaction);
    return { status: 200, body: shownSent(transaction) };
  };
  return {
    send: async (walletId: string, asked: Asked, doing: Doing): Promise<Answer> => {
      const wallet = wallets.get(walletId);
      const owner = wallet && quorums.get(wallet.ownerQuorumId);
      if (wallet === undefined || owner === undefined) return refuse(404, "no such wallet");
      if (!isSignedBy(owner, asked)) return refuse(401, "not signed by the wallet's quorum");
      const order = readOrder(asked.body);
      if (order === undefined) return refuse(400, "not an order");
      const sending = last.then(() => sendNow(wallet, order, doing));
      last = sending.catch(() => undefined);
      return sending;
    },

    find: async (referenceId: string | null): Promise<Answer> => {
      const found = transactions.filter((one) => one.referenceId === referenceId);
      for (const one of found)
        if (one.status === "broadcasted" && one.hash !== null) one.status = await chain.statusOf(one.hash);
      return { status: 200, body: { transactions: found.map(shownTransaction) } };
    },
  };
};

export type Provider = ReturnType<typeof makeQuorums> &
  ReturnType<typeof makeWallets> &
  ReturnType<typeof makeSending> & { readonly transactions: readonly Transaction[] };

export function makeProvider(chain: Chain): Provider {
  const state: State = { quorums: new Map(), wallets: new Map(), transactions: [] };
  return {
    ...makeQuorums(state),
    ...makeWallets(state, chain),
    ...makeSending(state, chain),
    transactions: state.transactions,
  };
}
