import { z } from "zod";
import type { Hex } from "@countersign/wire";
import type { Order, Report, Sender } from "../sender.ts";
import { ask, ProviderRefused, type Access } from "./call.ts";

/** Absent, empty or malformed: they do not know it yet. */
const Hash = z
  .string()
  .regex(/^0x[0-9a-fA-F]{64}$/)
  .transform((hash) => hash.toLowerCase() as Hex)
  .nullable()
  .catch(null);

const Sent = z.object({ data: z.object({ hash: Hash, transaction_id: z.string().min(1) }) });

const Transaction = z.object({
  id: z.string().min(1),
  wallet_id: z.string(),
  status: z.string(),
  transaction_hash: Hash,
});
type Transaction = z.infer<typeof Transaction>;

const Found = z.object({ transactions: z.array(Transaction) });

/** An unclear status counts as under way: then we look at the chain and do not send again. */
const stateOf = (status: string): Report["state"] => {
  if (status === "confirmed" || status === "execution_reverted") return "done";
  return status === "failed" ? "failed" : "under way";
};

/** They do not report the call. The chain does. */
const reportOf = ({ id, status, transaction_hash: hash }: Transaction): Report => ({
  theirId: id,
  state: stateOf(status),
  detail: status.slice(0, 50),
  hash,
  call: {},
});

/** If there were several attempts, a completed one counts most, then one under way, then a failed one. */
const byWeight = ["done", "under way", "failed"] as const;

const weightiest = (reports: readonly Report[]): Report | undefined =>
  byWeight.flatMap((state) => reports.filter((report) => report.state === state))[0];

/** Both sides identify the order by its request hash: `reference_id` has room for 64 characters. */
const referenceOf = (requestHash: Hex): string => requestHash.slice(2).toLowerCase();

const bodyOf = ({ requestHash, chainId, to, value, data }: Order) => ({
  method: "eth_sendTransaction",
  caip2: `eip155:${chainId}`,
  chain_type: "ethereum",
  reference_id: referenceOf(requestHash),
  params: { transaction: { to, value: `0x${value.toString(16)}`, data } },
});

export function openSender(access: Access, walletId: string): Sender {
  const find = async (requestHash: Hex): Promise<Report | undefined> => {
    const path = `/v1/transactions?reference_id=${referenceOf(requestHash)}`;
    const { transactions } = await ask(access, { method: "GET", path }, Found);
    // Needs a person: sending again could send twice.
    if (transactions.some(({ wallet_id: id }) => id !== walletId))
      throw new Error("The wallet provider has this order under another wallet");
    return weightiest(transactions.map(reportOf));
  };

  return {
    find,

    send: async (order) => {
      const path = `/v1/wallets/${walletId}/rpc`;
      // The same for every attempt at this order, so that all of them are one request to the provider.
      const idempotencyKey = order.requestHash.toLowerCase();
      try {
        const question = { method: "POST", path, body: bodyOf(order), idempotencyKey } as const;
        const { data } = await ask(access, question, Sent);
        const { hash, transaction_id: theirId } = data;
        return { theirId, state: "under way", detail: "accepted", hash, call: {} };
      } catch (error) {
        if (!(error instanceof ProviderRefused)) throw error;
        // They also refuse duplicates, which must not count as refused.
        const known = await find(order.requestHash);
        if (known !== undefined) return known;
        throw error;
      }
    },

    // They cannot cancel an accepted order. An unused nonce is visible on the chain.
    cancel: () => Promise.resolve(),
  };
}
