// The parts of the custodian's API (Fireblocks) that we use: test an access, read a vault's address, and send from
// it.
import type { Clock } from "@countersign/platform/clock";
import type { Hex } from "@countersign/wire";
import { z } from "zod";
import { SenderRefused, type Order, type Report, type Sender } from "../sender.ts";
import type { Access } from "./access.ts";
import { makeAsk, type Answer, type Ask } from "./ask.ts";
import { describeOrder, idempotencyKeyOf, reportOn, transactionShape } from "./transaction.ts";

export type Custodian = {
  readonly check: (access: Access) => Promise<"good" | "refused" | "no such vault" | "unreachable">;
  /** In lower case. Undefined if the vault has no address on this chain. */
  readonly readAddress: (access: Access, chainId: number) => Promise<Hex | undefined>;
  readonly openSender: (access: Access) => Sender;
};

type Options = {
  /** Replaces the hosts of environment and region. For development. */
  readonly url?: string | undefined;
  /** Their asset id for the native token of each chain. */
  readonly assets: Readonly<Record<number, string>>;
  /** For one request, from the connection to the last byte of the answer. */
  readonly timeoutMs: number;
  readonly clock: Clock;
};

type Assets = Options["assets"];

export const makeCustodian = ({ assets, ...asking }: Options): Custodian => {
  const ask = makeAsk(asking);
  return {
    check: (access) => checkAccess(ask, access),
    readAddress: (access, chainId) => readAddress(ask, access, assets[chainId]),
    openSender: (access) => ({
      find: (requestHash) => findOrder(ask, access, requestHash),
      send: (order) => sendOrder(ask, access, order, assets),
      cancel: (theirId) => cancelOrder(ask, access, theirId),
    }),
  };
};

/** A segment of dots would be removed from the path, which would make it another request. */
const isSegment = (text: string): boolean => text !== "" && text !== "." && text !== "..";

function pathOf(...segments: readonly string[]): string {
  if (!segments.every(isSegment)) throw new Error("malformed id for the custodian");
  return `/v1/${segments.map(encodeURIComponent).join("/")}`;
}

const read = (ask: Ask, access: Access, ...segments: readonly string[]): Promise<Answer> =>
  ask(access, { method: "GET", path: pathOf(...segments), body: "" });

const isSuccess = ({ status }: Answer): boolean => status >= 200 && status < 300;

const vaultShape = z.object({ id: z.string() });

async function checkAccess(ask: Ask, access: Access): ReturnType<Custodian["check"]> {
  if (!isSegment(access.vaultAccountId)) return "no such vault";
  const answer = await read(ask, access, "vault", "accounts", access.vaultAccountId).catch(() => undefined);
  if (answer === undefined) return "unreachable";
  if (answer.status === 401 || answer.status === 403) return "refused";
  // They answer 400 to an id that cannot be theirs.
  if (answer.status === 404 || answer.status === 400) return "no such vault";
  if (!isSuccess(answer)) return "unreachable";
  return vaultShape.safeParse(answer.body).data?.id === access.vaultAccountId ? "good" : "no such vault";
}

const addressesShape = z.object({
  addresses: z.array(z.object({ address: z.string().regex(/^0x[0-9a-f]{40}$/i) })),
});

async function readAddress(ask: Ask, access: Access, asset: string | undefined): Promise<Hex | undefined> {
  if (asset === undefined) return undefined;
  const { vaultAccountId } = access;
  const answer = await read(
    ask,
    access,
    ...["vault", "accounts", vaultAccountId, asset, "addresses_paginated"],
  );
  if (answer.status === 404) return undefined;
  if (!isSuccess(answer)) throw unclear(answer);
  const { addresses } = parse(addressesShape, answer);
  return addresses[0]?.address.toLowerCase() as Hex | undefined;
}

async function findOrder(ask: Ask, access: Access, requestHash: Hex): Promise<Report | undefined> {
  const answer = await read(ask, access, "transactions", "external_tx_id", requestHash);
  if (answer.status === 404) return undefined;
  // Never `SenderRefused`, not even for a credential that has become invalid: an order may have been accepted before.
  if (!isSuccess(answer)) throw unclear(answer);
  const transaction = parse(transactionShape, answer);
  if ((transaction.externalTxId ?? requestHash).toLowerCase() !== requestHash.toLowerCase())
    throw new Error("the custodian answered about another order");
  return reportOn(transaction, access.vaultAccountId);
}

/** Answers that are final refusals. Any other failure leaves the outcome of the order open. */
const refusals: Readonly<Record<number, string>> = {
  400: "the custodian does not accept this order",
  401: "the custodian does not accept our credential",
  403: "the custodian does not allow our credential to send",
  404: "the custodian does not know the vault",
  422: "the custodian does not accept this order",
};
const duplicateExternalId = 1438;

async function sendOrder(ask: Ask, access: Access, order: Order, assets: Assets): Promise<Report> {
  const asset = assets[order.chainId];
  if (asset === undefined) throw new SenderRefused("the custodian has no asset for this chain");
  const answer = await ask(access, {
    method: "POST",
    path: "/v1/transactions",
    body: describeOrder(order, access.vaultAccountId, asset),
    idempotencyKey: idempotencyKeyOf(order.requestHash),
  });
  if (isSuccess(answer)) return reportOn(parse(transactionShape, answer), access.vaultAccountId);
  if (answer.status === 400) return await reportOrRefuse(ask, access, order, answer);
  const refusal = refusals[answer.status];
  throw refusal === undefined ? unclear(answer) : refuse(refusal, answer);
}

/**
 * They reject a duplicate order in several ways: by its external id or by its idempotency key. In each case
 * their existing order counts, not the error.
 */
async function reportOrRefuse(ask: Ask, access: Access, order: Order, answer: Answer): Promise<Report> {
  const had = await findOrder(ask, access, order.requestHash);
  if (had !== undefined) return had;
  if (answer.code === duplicateExternalId)
    throw new Error("the custodian has this order but does not find it");
  throw refuse(refusals[400] ?? "", answer);
}

/** Too late, or nothing to cancel. */
const noLonger = new Set([400, 404, 409, 422]);

async function cancelOrder(ask: Ask, access: Access, theirId: string): Promise<void> {
  const path = pathOf("transactions", theirId, "cancel");
  // Without an idempotency key: a second request must be evaluated again.
  const answer = await ask(access, { method: "POST", path, body: "" });
  if (!isSuccess(answer) && !noLonger.has(answer.status)) throw unclear(answer);
}

const withComplaint = (sentence: string, { complaint }: Answer): string =>
  complaint === "" ? sentence : `${sentence}: ${complaint}`;

const refuse = (sentence: string, answer: Answer): SenderRefused =>
  new SenderRefused(withComplaint(sentence, answer));

const unclear = (answer: Answer): Error =>
  new Error(withComplaint(`the custodian answered ${answer.status}`, answer));

/** A parser's error may repeat its input. */
function parse<T>(shape: z.ZodType<T>, { body }: Answer): T {
  const parsed = shape.safeParse(body);
  if (!parsed.success) throw new Error("the custodian's answer could not be read");
  return parsed.data;
}
