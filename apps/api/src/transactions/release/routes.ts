import { anyOf, ok, perIp, route, type Route } from "@countersign/platform/http";
import { z } from "zod";
import { contractWalletLimit } from "../../adapters/wallets/index.ts";
import { apiKey } from "../../api-keys/index.ts";
import { jwt } from "../../sign-in/index.ts";
import { signature } from "../../signed-requests/index.ts";
import { transactionErrors } from "../errors.ts";
import { Word } from "../proposal-body.ts";
import type { ReadTransaction } from "../record/read-transactions.ts";
import { readRequestHash, RequestHash } from "../record/request-hash.ts";
import { TransactionView, transactionView } from "../record/views.ts";
import type { makeRelease } from "./release.ts";

type Parts = {
  readonly release: ReturnType<typeof makeRelease>;
  readonly readTransaction: ReadTransaction;
  /** Per IP address. */
  readonly releasesPerMinute: number;
};

const anyCredential = anyOf(apiKey(), jwt, signature);

export const releaseRoutes = ({ release, readTransaction, releasesPerMinute }: Parts): readonly Route[] => [
  route({
    method: "POST",
    path: "/transactions/{requestHash}/release",
    summary: "Release a signature or a batch",
    description:
      "Records that an approved signature, or an approved batch of calls, is handed over, and the transaction becomes EXECUTED. By its proposer, and by the owner in person. " +
      "It succeeds once: a wallet asks before it lets the signature out or sends the batch, and does neither if the answer is not 200.",
    tag: "Transactions",
    auth: anyCredential,
    limit: [perIp(releasesPerMinute), contractWalletLimit],
    params: z.object({ requestHash: RequestHash }),
    body: z.object({
      signingHash: Word.meta({
        description:
          "The hash that is signed, or that of the batch, as computed by the wallet. It must be the approved one.",
      }),
    }),
    replies: { 200: TransactionView },
    refuses: [
      transactionErrors.nothingToRelease,
      transactionErrors.otherSigningHash,
      transactionErrors.notYours,
      transactionErrors.notFound,
      transactionErrors.notReleasable,
    ],
    handle: async ({ params, body: { signingHash }, caller }) => {
      const requestHash = readRequestHash(params.requestHash);
      await release(requestHash, signingHash, caller);
      const { owner, ...decided } = await readTransaction(requestHash, caller);
      return ok(transactionView(decided, owner));
    },
  }),
];
