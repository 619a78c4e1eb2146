import { z } from "zod";
import { anyOf, ok, perIp, route, type Route } from "@countersign/platform/http";
import { EthereumAddress, shown } from "../../accounts/index.ts";
import { contractWalletLimit } from "../../adapters/wallets/index.ts";
import { apiKey } from "../../api-keys/index.ts";
import { jwt } from "../../sign-in/index.ts";
import { signature } from "../../signed-requests/index.ts";
import type { Caller } from "../caller.ts";
import type { ApprovalStatusReader, StatusAnswer, View } from "../decide/approval-status.ts";
import { transactionErrors } from "../errors.ts";
import { NeedsOwner } from "../grant/needs-owner.ts";
import { PolicyDecision } from "../grant/policy-decision.ts";
import type { makeListTransactions, ReadTransaction } from "../record/read-transactions.ts";
import { Receipt, type makeReadReceipt, type makeReadReceiptWithBundle } from "../attest/receipt.ts";
import type { ReadTrace } from "../read-trace.ts";
import { readRequestHash, RequestHash } from "../record/request-hash.ts";
import type { TransactionStore } from "../store/index.ts";
import type { Hex } from "../transaction.ts";
import {
  ApprovalFlags,
  approvalFlags,
  ApprovalStatus,
  approvalStatus,
  MandateId,
  TransactionView,
  transactionView,
} from "../record/views.ts";
import { Visibility, visibilityOf } from "../record/visibility.ts";

type Parts = {
  readonly status: Pick<ApprovalStatusReader, "read">;
  readonly listTransactions: ReturnType<typeof makeListTransactions>;
  readonly readTransaction: ReadTransaction;
  readonly readContextLogs: TransactionStore["readContextLogs"];
  readonly readTrace: ReadTrace;
  readonly readReceipt: ReturnType<typeof makeReadReceipt>;
  readonly readReceiptWithBundle: ReturnType<typeof makeReadReceiptWithBundle>;
  readonly baseUrl: string;
  /** Per IP address. */
  readonly readsPerMinute: number;
};

const anyCredential = anyOf(apiKey(), jwt, signature);
const base = ({ readsPerMinute }: Parts) =>
  ({
    method: "GET",
    tag: "Transactions",
    auth: anyCredential,
    limit: [perIp(readsPerMinute), contractWalletLimit],
  }) as const;
type Headers = Readonly<Record<string, string>>;

const params = z.object({ requestHash: RequestHash });

const textOf = (header: string | readonly string[] | undefined): string | undefined =>
  typeof header === "string" ? header : header?.join(",");

/** `Prefer: wait=25`, as in RFC 7240. Other preferences are ignored. */
const readWait = (prefer: string | undefined): number =>
  Number(/(?:^|[,;])\s*wait\s*=\s*"?(\d{1,6})"?\s*(?:[,;]|$)/i.exec(prefer ?? "")?.[1] ?? 0);

/** For the verification service, which may have found the request on the chain. Others have their own traces. */
async function traceFor(caller: Caller, requestHash: Hex, { readTrace }: Parts): Promise<Headers> {
  if (caller.scheme !== "apiKey" || caller.type !== "orion") return {};
  const traceparent = await readTrace(requestHash);
  return traceparent === undefined ? {} : { traceparent };
}

function answerStatus(
  { state, etag, isKnown, retryAfterSeconds }: StatusAnswer,
  view: View,
  more: Headers = {},
) {
  const headers = {
    ...more,
    ETag: etag,
    ...(retryAfterSeconds === undefined ? {} : { "Retry-After": String(retryAfterSeconds) }),
  };
  if (isKnown) return { status: 304 as const, body: undefined, headers };
  const { approvals, userId: id, account } = state;
  return view === "flags"
    ? ok(approvalFlags(approvals), headers)
    : ok(
        {
          ...approvalStatus(approvals, { id, account }),
          needsOwner: state.needsOwner,
          mandateId: state.mandateId,
          policyDecision: state.policyDecision,
          ...visibilityOf(state),
        },
        headers,
      );
}

const status = (parts: Parts): Route =>
  route({
    ...base(parts),
    path: "/transactions/{requestHash}/approval-status",
    summary: "Get the approval status",
    description:
      "Poll again after Retry-After, with the ETag as If-None-Match; or send `Prefer: wait=25` to be answered when something has " +
      "changed since that ETag or, without one, when there is a verdict. `view=flags` answers with booleans.",
    params,
    query: z.object({ view: z.enum(["records", "flags"]).default("records") }),
    replies: {
      200: z.union([
        ApprovalStatus.extend({
          needsOwner: NeedsOwner.nullable(),
          mandateId: MandateId,
          policyDecision: PolicyDecision.nullable(),
          ...Visibility.shape,
        }),
        ApprovalFlags,
      ]),
      304: z.undefined(),
    },
    refuses: [transactionErrors.notFound],
    handle: async ({ params, query: { view }, caller, headers }) => {
      const requestHash = readRequestHash(params.requestHash);
      const answer = await parts.status.read({
        requestHash,
        view,
        caller,
        knows: textOf(headers["if-none-match"]),
        waitSeconds: readWait(textOf(headers["prefer"])),
      });
      return answerStatus(answer, view, await traceFor(caller, requestHash, parts));
    },
  });

const list = (parts: Parts): Route =>
  route({
    ...base(parts),
    path: "/transactions/users/{ethereumAddress}",
    summary: "List an account's transactions",
    description:
      "Newest first, with the decisions about each. For its owner, its keys and server keys. If there are more, `Link` has the next page.",
    params: z.object({ ethereumAddress: EthereumAddress }),
    query: z.object({
      limit: z
        .string()
        .regex(/^\d{1,4}$/, "must be a number from 1 to 1000")
        .transform(Number)
        .refine((limit) => limit >= 1 && limit <= 1000, "must be a number from 1 to 1000")
        .optional(),
      cursor: z.string().optional(),
    }),
    replies: { 200: z.array(TransactionView) },
    refuses: [transactionErrors.badCursor, transactionErrors.onlyOwn, transactionErrors.noSuchUser],
    handle: async ({ params: { ethereumAddress: account }, query: { limit = 1000, cursor }, caller }) => {
      const { owner, found, next } = await parts.listTransactions({ account, caller, limit, cursor });
      const more = `${parts.baseUrl}/transactions/users/${shown(account)}?limit=${limit}&cursor=${next ?? ""}`;
      return ok(
        found.map((decided) => transactionView(decided, owner)),
        next === undefined ? {} : { Link: `<${more}>; rel="next"` },
      );
    },
  });

const one = (parts: Parts): Route =>
  route({
    ...base(parts),
    path: "/transactions/{requestHash}",
    summary: "Get a transaction",
    params,
    replies: { 200: TransactionView },
    refuses: [transactionErrors.notFound],
    handle: async ({ params: { requestHash }, caller }) => {
      const { owner, ...decided } = await parts.readTransaction(readRequestHash(requestHash), caller);
      const contextLogs = await parts.readContextLogs(decided.transaction.id);
      return ok({ ...transactionView(decided, owner), contextLogs });
    },
  });

const receipt = (parts: Parts): Route =>
  route({
    ...base(parts),
    path: "/transactions/{requestHash}/receipt",
    summary: "Get the receipt of a verdict",
    description:
      "The proposal, the signed verdict, the report, and where they are recorded, to check a verdict offline. Available once there is a verdict. " +
      "`bundle=1` adds the inputs of the verdict, for its owner: `countersign replay` repeats it from them.",
    params,
    query: z.object({
      bundle: z.literal("1").optional().meta({ description: "1: with the inputs of the verdict." }),
    }),
    replies: { 200: Receipt },
    refuses: [transactionErrors.bundleNotYours, transactionErrors.notFound, transactionErrors.noVerdict],
    handle: async ({ params: { requestHash }, query: { bundle }, caller }) => {
      const read = bundle === undefined ? parts.readReceipt : parts.readReceiptWithBundle;
      return ok(await read(readRequestHash(requestHash), caller));
    },
  });

export const readRoutes = (parts: Parts): readonly Route[] => [
  list(parts),
  one(parts),
  status(parts),
  receipt(parts),
];
