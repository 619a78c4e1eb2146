import { z } from "zod";
import type { Hex } from "@countersign/wire";
import type { Order, Report, Sender } from "../sender.ts";
import { ask, ProviderRefused, type Access } from "./call.ts";

/** Absent, empty or of another form: they do not know it yet. */
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

/** What cannot be told from their word is under way: then the chain is looked at, and nothing is sent again. */
const stateOf = (status: string): Report["state"] => {
  if (status === "confirmed" || status === "execution_reverted") return "done";
  return status === "failed" ? "failed" : "under way";
};

/** They do not say what they were told to send: the chain does. */
const reportOf = ({ id, status, transaction_hash: hash }: Transaction): Report => ({
  theirId: id,
  state: stateOf(status),
  detail: status.slice(0, 50),
  hash,
  call: {},
});

/** If they tried more than once: what came of it counts more than what may come, and that more than what failed. */
const byWeight = ["done", "under way", "failed"] as const;

const weightiest = (reports: readonly Report[]): Report | undefined =>
  byWeight.flatMap((state) => reports.filter((report) => report.state === state))[0];

/** Both sides call the order by its request hash: `reference_id` has room for 64 characters. */
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
    // Nothing is concluded from it but that somebody must look: to send again could be to send twice.
    if (transactions.some(({ wallet_id: id }) => id !== walletId))
      throw new Error("The wallet provider has this order under another wallet");
    return weightiest(transactions.map(reportOf));
  };

  return {
    find,

    send: async (order) => {
      const path = `/v1/wallets/${walletId}/rpc`;
      // Made once for each order, so that however often it is asked the answer is to one and the same request.
      const idempotencyKey = order.requestHash.toLowerCase();
      try {
        const question = { method: "POST", path, body: bodyOf(order), idempotencyKey } as const;
        const { data } = await ask(access, question, Sent);
        const { hash, transaction_id: theirId } = data;
        return { theirId, state: "under way", detail: "accepted", hash, call: {} };
      } catch (error) {
        if (!(error instanceof ProviderRefused)) throw error;
        // They also refuse what they have already. Then it was not refused, and must not count as such.
        const known = await find(order.requestHash);
        if (known !== undefined) return known;
        throw error;
      }
    },

    // They have no way to take back what they accepted. A nonce that stays open shows on the chain.
    cancel: () => Promise.resolve(),
  };
}
