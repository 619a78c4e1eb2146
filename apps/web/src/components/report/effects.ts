// Describes a transaction in the owner's terms: the outflow, the inflow, and access that lasts.
import type { TransactionView } from "@countersign/sdk";
import type { Authority, Flow, NetEffect, ReadReport } from "@countersign/sdk/report";
import { readCall } from "../../lib/call.ts";
import { chainName } from "../../lib/chains.ts";
import { exactTime } from "../../lib/format.ts";
import type { ProposedTx } from "./does.tsx";
import {
  amountOf,
  assetName,
  coinAmount,
  controlOf,
  isPartlyUnread,
  limitOf,
  partyName,
  runsForeignCode,
  untilOf,
} from "./plain-words.ts";

/** A transaction, a batch of calls, a Safe's transaction, a text, an authorization by its delegate, a user operation by its smart account, or typed data to be signed, which is named by its type. */
export type Subject =
  | ProposedTx
  | (ProposedTx & { readonly safe: string; readonly operation: number })
  | { readonly calls: readonly unknown[] }
  | { readonly primaryType: string }
  | { readonly text: string }
  | { readonly delegate: string }
  | { readonly smartAccount: string };

/** Returns what would be sent or signed. Undefined if the agent encrypted it. */
export function subjectOf(transaction: TransactionView): Subject | undefined {
  const { tx, typedData, calls, safeTransaction, message, authorizationList, userOperation } = transaction;
  const [authorization] = authorizationList ?? [];
  if (authorization !== undefined) return { delegate: authorization.address };
  if (userOperation !== null) return { smartAccount: userOperation.sender };
  return tx ?? typedData ?? calls ?? safeTransaction ?? (message === null ? undefined : { text: message });
}

/** The zero address is the delegate of an authorization that removes the delegation. */
export const isRevocation = (delegate: string): boolean => /^0x0{40}$/.test(delegate);

export type EffectLine = {
  readonly kind: "moves" | "access" | "control" | "unread";
  /** Without a full stop. Contains whole addresses. */
  readonly text: string;
};

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);
const upperFirst = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
const isSame = (one: Flow, other: Flow): boolean =>
  one.kind === other.kind && one.address === other.address && one.id === other.id;

const amount = (flow: Flow, side: "leaves" | "arrives"): string =>
  `${lowerFirst(amountOf(flow, side))} ${assetName(flow)}`;

const priced = (flow: Flow, side: "leaves" | "arrives"): string =>
  `${amount(flow, side)}${flow.usd === null ? "" : ` (≈ $${flow.usd})`}`;

/** Returns the outflow without a payee of its own, such as the input of a swap. */
const spentOf = ({ leaves, others }: NetEffect): readonly Flow[] =>
  leaves.filter((flow) => !others.some((other) => isSame(flow, other)));

/** Access that the transaction gives. An allowance of zero takes access away. */
export const grantsOf = ({ net }: ReadReport): readonly Authority[] =>
  net.authority.filter(({ most }) => most !== "0");

export const isUnlimited = ({ asset, most }: Authority): boolean =>
  asset === null || most === null || most === "unlimited" || most === "everything";

function accessLine(held: Authority): string {
  const until = untilOf(held.until);
  const end = until === null ? "until revoked" : `until ${exactTime(until)}`;
  const how = held.signed ? ", with a signature that can be used later" : "";
  return held.asset === null
    ? `${partyName(held.spender)} can act as your wallet, ${end}${how}`
    : `${partyName(held.spender)} can take up to: ${limitOf(held)} ${assetName(held.asset)}, ${end}${how}`;
}

function movesOf(net: NetEffect, on: string): readonly string[] {
  return [
    ...net.others.map((flow) => `Send ${priced(flow, "leaves")} to ${partyName(flow.party)}${on}`),
    ...spentOf(net).map((flow) => `Spend ${priced(flow, "leaves")}${on}`),
    ...net.arrives.map((flow) => `Receive at least ${priced(flow, "arrives")}`),
  ];
}

/** Returns one line for each effect. Without a report, what the calldata or the type of the data says alone. */
export function effectLines(
  report: ReadReport | undefined,
  subject: Subject,
  chainId: number,
): readonly EffectLine[] {
  const on = ` on ${chainName(chainId)}`;
  if (report === undefined || report.effects.length === 0)
    return [{ kind: "unread", text: `${titleOf(subject, chainId)}${"text" in subject ? "" : on}` }];
  const { net } = report;
  const moves = movesOf(net, on);
  const access = grantsOf(report);
  return [
    ...moves.map((text) => ({ kind: "moves", text }) as const),
    ...(moves.length === 0 && "value" in subject && subject.value !== "0"
      ? [{ kind: "moves", text: `Send ${coinAmount(subject.value, chainId)}${on}` } as const]
      : []),
    ...net.control.map(
      (change) =>
        ({
          kind: "control",
          text: `${controlOf(change)}${change.party === null ? "" : `: ${partyName(change.party)}`}`,
        }) as const,
    ),
    ...access.map((held) => ({ kind: "access", text: accessLine(held) }) as const),
    ...("text" in subject ? [{ kind: "access", text: titleOf(subject, chainId) } as const] : []),
    ...(isPartlyUnread(report) && !runsForeignCode(report)
      ? [{ kind: "unread", text: "And something we can’t read" } as const]
      : []),
  ];
}

/** Returns a title without a report: from the calldata, the number of calls, or the type of the data to sign. */
export function titleOf(subject: Subject, chainId: number): string {
  if ("calls" in subject) return `Send a batch of ${subject.calls.length} calls`;
  if ("safe" in subject && subject.operation !== 0)
    return `Run code of ${subject.to ?? ""} as the Safe ${subject.safe}`;
  if ("text" in subject) return titleOfText(subject.text);
  if ("delegate" in subject)
    return isRevocation(subject.delegate)
      ? controlOf({ kind: "revoke_delegation", party: null })
      : `${controlOf({ kind: "delegate_code", party: null })}: ${subject.delegate}`;
  if ("smartAccount" in subject) return `Run an operation of the smart account ${subject.smartAccount}`;
  return "primaryType" in subject
    ? `Sign data of the type “${subject.primaryType}”`
    : titleFromCall(subject, chainId);
}

/** The site that a sign-in names in its first line (EIP-4361). Undefined for other texts. */
export const signInSiteOf = (text: string): string | undefined =>
  /^(?:https:\/\/)?(\S{1,253}) wants you to sign in with your Ethereum account:(?:\n|$)/.exec(text)?.[1];

const longestTitle = 60;

function titleOfText(text: string): string {
  const site = signInSiteOf(text);
  if (site !== undefined) return `Sign in to ${site}`;
  const line = text.replaceAll(/\s+/g, " ").trim();
  return `Sign the text “${line.length > longestTitle ? `${line.slice(0, longestTitle - 1)}…` : line}”`;
}

function titleFromCall({ to, value, data }: ProposedTx, chainId: number): string {
  if (to === null) return "Create a contract";
  const call = readCall({ to, value, data }, chainId);
  switch (call.kind) {
    case "pay":
      return `Send ${coinAmount(call.wei, chainId)} to ${call.to}`;
    case "send":
      return `Send ${call.amount} ${call.amount === "an amount" ? "of " : ""}${call.token} to ${call.to}`;
    case "allow":
      return call.amount === "0"
        ? `Stop ${call.spender} from spending ${call.token}`
        : `Let ${call.spender} spend ${call.amount} ${call.amount.endsWith("amount") ? "of " : ""}${call.token}`;
    case "other":
      return call.wei === "0"
        ? `Call the contract ${call.to}`
        : `Call the contract ${call.to} with ${coinAmount(call.wei, chainId)}`;
  }
}

function paymentsTitle(others: NetEffect["others"]): string {
  const [first] = others;
  const parties = new Set(others.map(({ party }) => party)).size;
  if (first === undefined) return "";
  if (others.length > 2) return `Make ${others.length} payments to ${parties} addresses`;
  const sums = others.map((flow) => amount(flow, "leaves")).join(" and ");
  return `Send ${sums} to ${parties === 1 ? partyName(first.party) : `${parties} addresses`}`;
}

function accessTitle(held: Authority): string {
  if (held.asset === null) return `Let ${partyName(held.spender)} act as your wallet`;
  const most = isUnlimited(held) ? "any amount of" : limitOf(held);
  return `Let ${partyName(held.spender)} spend ${most} ${assetName(held.asset)}`;
}

/** The title says what the transaction does, never what the agent says. The most dangerous effect names it. */
export function effectTitle(report: ReadReport | undefined, subject: Subject, chainId: number): string {
  if (report === undefined || report.effects.length === 0) return titleOf(subject, chainId);
  const { net } = report;
  const [change] = net.control;
  if (change !== undefined)
    return change.party === null ? controlOf(change) : `${controlOf(change)}: ${partyName(change.party)}`;
  const [spent] = spentOf(net);
  const [back] = net.arrives;
  const [held] = grantsOf(report);
  if (net.others.length > 0) return paymentsTitle(net.others);
  if (spent !== undefined && back !== undefined)
    return `Exchange ${amount(spent, "leaves")} for at least ${amount(back, "arrives")}`;
  if (spent !== undefined) return `Spend ${amount(spent, "leaves")}`;
  if (held !== undefined) return accessTitle(held);
  if (back !== undefined) return `Receive at least ${amount(back, "arrives")}`;
  return upperFirst(titleOf(subject, chainId));
}
