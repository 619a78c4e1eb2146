import { z } from "zod";
import { ok, open, perIp, route, type Route } from "@countersign/platform/http";
import type { WatchStore } from "./index.ts";

type Parts = {
  readonly watchedChains: ReadonlySet<number>;
  readonly store: Pick<WatchStore, "listCursors">;
  readonly readsPerMinute: number;
};

const Chain = z
  .object({
    chainId: z.number(),
    lastBlock: z
      .string()
      .nullable()
      .meta({ description: "The last block that was read, in decimal digits." }),
    caughtUpAt: z.iso
      .datetime()
      .nullable()
      .meta({ description: "When the chain was last read to its end. Null: not yet." }),
    seen: z.array(z.string()).meta({ description: "The executions that are seen." }),
    notSeen: z.array(z.string()).meta({ description: "The executions that are not seen." }),
  })
  .meta({ id: "Chain", description: "A chain that the service watches." });

const seen = [
  "Transactions that the account sends",
  "Safe: execTransaction called on the account, by its ExecutionSuccess or ExecutionFailure event",
  "ERC-4337: operations in handleOps whose account runs execute, by their UserOperationEvent",
  "EIP-3009: AuthorizationUsed or AuthorizationCanceled with the nonce, and the payment next to it",
  "EIP-2612 and DAI: the permit's Approval in the block in which its nonce is used",
  "Permit2: Permit with all that was signed, or NonceInvalidation. Of a signed transfer only the use of its nonce",
  "Safe: a confirmed transaction by its safeTxHash, or another one with its nonce",
  "A batch: one transaction in which the account makes exactly these calls",
  "ERC-4337: a signed user operation by its userOpHash, or another one with its nonce",
  "EIP-7702: a transaction with the authorization after which the account runs the delegate's code",
];
const notSeen = [
  "Calls of a contract wallet through a module, another contract, a batch or a function that is not listed",
  "A batch that is sent as several transactions, or in another form",
  "The use of signed texts, of orders, and of other typed data",
];

export const chainRoutes = ({ watchedChains, store, readsPerMinute }: Parts): readonly Route[] => [
  route({
    method: "GET",
    path: "/chains",
    summary: "List the watched chains",
    description:
      "Proposals are accepted for any chain. Executions are seen on these chains only; on others nothing is sent through custody, and an expired approval claims nothing about the chain.",
    tag: "Transactions",
    auth: open,
    limit: [perIp(readsPerMinute)],
    replies: { 200: z.array(Chain) },
    refuses: [],
    handle: async () => {
      const cursors = new Map((await store.listCursors()).map((cursor) => [cursor.chainId, cursor]));
      const chains = [...watchedChains].toSorted((one, other) => one - other);
      return ok(
        chains.map((chainId) => ({
          chainId,
          lastBlock: cursors.get(chainId)?.blockNumber ?? null,
          caughtUpAt: cursors.get(chainId)?.caughtUpAt?.toISOString() ?? null,
          seen,
          notSeen,
        })),
      );
    },
  }),
];
