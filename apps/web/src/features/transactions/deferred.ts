// A signature as the deferred transaction that it is: until when it can be used, and what could be taken at worst.
import type { TransactionView } from "@countersign/sdk";
import type { ReadReport } from "@countersign/sdk/report";
import { grantsOf, isRevocation, isUnlimited, signInSiteOf } from "../../components/report/effects.ts";
import {
  amountOf,
  assetName,
  coinAmount,
  isPartlyUnread,
  limitOf,
  sentenceCase,
} from "../../components/report/plain-words.ts";
import { largestFee } from "./operation-fee.ts";
import { usableUntil } from "./signature.ts";

export type Deferred = {
  /** The meaning of holding the signature, in one or two sentences. */
  readonly what: string;
  readonly until: string;
  readonly worst: string;
};

/** Whose assets are at stake. */
type Holder = "your wallet" | "the Safe" | "the smart account";

/** Returns the most that anyone who holds the signature can take. Without a complete report, everything. */
function worstOf(report: ReadReport | undefined, holder: Holder): string {
  if (report === undefined) return `Not known. Assume that everything in ${holder} can be taken.`;
  const { net } = report;
  const held = grantsOf(report);
  if (isPartlyUnread(report) || net.control.length > 0 || held.some(({ asset }) => asset === null))
    return `Everything in ${holder} can be taken.`;
  const taken = [
    ...net.leaves.map((flow) => `${amountOf(flow, "leaves")} ${assetName(flow)}`),
    ...held.flatMap((access) => {
      if (access.asset === null) return [];
      const most = isUnlimited(access) ? "any amount of" : limitOf(access);
      return [`${most} ${assetName(access.asset)}`];
    }),
  ];
  return taken.length === 0
    ? "Nothing leaves, as far as we can read it."
    : `${sentenceCase(taken.join(" and "))} can be taken.`;
}

/** A sign-in (EIP-4361) may end. */
const ending = /^Expiration Time: (\S{1,40})$/m;

function messageOf(message: string, report: ReadReport | undefined): Deferred {
  const site = signInSiteOf(message);
  const isRead = report !== undefined && !isPartlyUnread(report);
  return {
    what: "A signed text is a deferred decision: anyone who holds it can use it where it is accepted, and show that your wallet signed it.",
    until:
      (site === undefined ? undefined : ending.exec(message)?.[1]) ??
      "No expiry. It depends on who accepts it",
    worst: !isRead
      ? "Not known. Someone who accepts this text could move money with it."
      : site === undefined
        ? "Nothing leaves your wallet. It can be shown that you agreed to this text."
        : `Someone else is signed in to ${site} as you.`,
  };
}

type Authorization = NonNullable<TransactionView["authorizationList"]>[number];

/** The code of the delegate decides, so the report does not limit what could be taken. */
const authorizationOf = ({ address, nonce }: Authorization): Deferred => ({
  what: "An authorization is a deferred transaction: anyone who holds it can put it into force. It then stays in force until you revoke it.",
  until: `Your account’s nonce is higher than ${nonce}. It has no other expiry`,
  worst: isRevocation(address)
    ? "Nothing leaves. Your wallet stops running delegated code."
    : "Everything in your wallet can be taken.",
});

type UserOperation = NonNullable<TransactionView["userOperation"]>;

const operationOf = (
  { nonce, chainId, ...fees }: UserOperation,
  report: ReadReport | undefined,
): Deferred => ({
  what: "A signed user operation is a deferred transaction: anyone who holds it can have the smart account execute it.",
  until: `The smart account has used its nonce ${nonce}. It has no other expiry`,
  worst: `${worstOf(report, "the smart account")} Network fees can be ${coinAmount(largestFee(fees), chainId)} more.`,
});

/** Undefined for a transaction and a batch, which the wallet sends at once, and for what the agent encrypted. */
export function deferredOf(
  { typedData, safeTransaction, message, authorizationList, userOperation }: TransactionView,
  report: ReadReport | undefined,
): Deferred | undefined {
  if (typedData !== null)
    return {
      what: "A signature is a deferred transaction: anyone who holds it can use it until it expires.",
      until: usableUntil(typedData.message),
      worst: worstOf(report, "your wallet"),
    };
  if (safeTransaction !== null)
    return {
      what: "A confirmation is a deferred transaction: once enough owners have confirmed it, anyone can have the Safe execute it.",
      until: `The Safe has used its nonce ${safeTransaction.nonce}. It has no other expiry`,
      worst: worstOf(report, "the Safe"),
    };
  if (message !== null) return messageOf(message, report);
  const [authorization] = authorizationList ?? [];
  if (authorization !== undefined) return authorizationOf(authorization);
  return userOperation === null ? undefined : operationOf(userOperation, report);
}
