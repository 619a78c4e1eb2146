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
];
const notSeen = [
  "Calls of a contract wallet through a module, another contract, a batch or a function that is not listed",
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
