// Formats amounts, parties and access rights.
import type { Asset, Authority, CallNode, ControlChange, Flow, ReadReport } from "@countersign/sdk/report";
import { coinOf } from "../../lib/chains.ts";
import { fromWei } from "../../lib/format.ts";

export const isWei = (value: string): boolean => /^\d{1,78}$/.test(value);

export const coinAmount = (wei: string, chainId: number): string =>
  isWei(wei) ? `${fromWei(wei)} ${coinOf(chainId)}` : wei;

export function assetName({ kind, symbol, address, id, why }: Asset): string {
  const name = symbol ?? (kind === "native" ? "native token" : (address ?? why ?? "an unnamed asset"));
  return kind === "nft" ? `${name} #${id ?? "any"}` : name;
}

/** Groups the digits of an amount, which may have a unit behind it. */
export const grouped = (amount: string): string =>
  /^\d+(\.\d+)?( base units)?$/.test(amount)
    ? amount.replace(/^\d+/, (whole) => whole.replace(/\B(?=(\d{3})+$)/g, ","))
    : amount;

const amounts: Readonly<Record<string, string>> = { unlimited: "Unlimited", everything: "All" };

/** Returns the maximum of what leaves and the minimum of what arrives. */
export function amountOf(flow: Flow, side: "leaves" | "arrives"): string {
  const said = (side === "leaves" ? flow.most : flow.least) ?? flow.most ?? flow.least;
  return said === null ? "An unknown amount of" : (amounts[said] ?? grouped(said));
}

export const partyName = (party: string): string =>
  party === "self" ? "your wallet" : party === "venue" ? "the contract" : party;

/** Returns null if the access does not expire. */
export function untilOf(until: string | null): Date | null {
  const seconds = until === null || !/^\d{1,11}$/.test(until) ? Number.NaN : Number(until);
  return Number.isNaN(seconds) ? null : new Date(seconds * 1000);
}

/** The most that can be taken: `unlimited`, `all your` or an amount. */
export const limitOf = ({ most }: Authority): string =>
  most === "unlimited" || most === null ? "unlimited" : most === "everything" ? "all your" : grouped(most);

export function powerOf({ asset, most, signed }: Authority): string {
  const how = signed ? "with a signature that can be used later, " : "";
  if (asset === null) return `${how}can act as your wallet`;
  const amount =
    most === "unlimited" || most === null
      ? "any amount of"
      : most === "everything"
        ? "all"
        : `up to ${grouped(most)}`;
  return `${how}can take ${amount} ${assetName(asset)}`;
}

const controls: Readonly<Record<string, string>> = {
  delegatecall: "Runs unknown code as your wallet, and can take everything",
  delegate_code: "From now on, your wallet runs another contract’s code",
  transfer_ownership: "Transfers ownership",
  add_owner: "Adds an owner",
  swap_owner: "Replaces an owner",
  change_threshold: "Changes how many owners must sign",
  deploy: "Creates a contract",
  deploy_account: "Creates an account",
  revoke_delegation: "Removes delegated code from your wallet",
};

export const controlOf = ({ kind }: ControlChange): string =>
  controls[kind] ?? `Changes who controls it (${kind.replaceAll("_", " ")})`;

const runsUnknownCode = ({ isDelegate, isKnown, children }: CallNode): boolean =>
  (isDelegate && !isKnown) || children.some(runsUnknownCode);

/** Whether any call runs unknown code as the account. */
export const runsForeignCode = ({ calls, net }: ReadReport): boolean =>
  calls.some(runsUnknownCode) || net.control.some(({ kind }) => kind === "delegatecall");

export const sentenceCase = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Formats `proposed_tx/0/1` as "1.2". */
export const callNumber = (call: string): string =>
  call
    .split("/")
    .slice(1)
    .map((index) => String(Number(index) + 1))
    .join(".");

/** Replaces the report's call IDs with the numbers on the page. */
export const withPlainCalls = (text: string): string =>
  text.replaceAll(/\bproposed_tx((?:\/\d{1,4})*)/g, (call, path: string, at: number) => {
    const said = path === "" ? "the transaction" : `call ${callNumber(call)}`;
    return at === 0 ? sentenceCase(said) : said;
  });

const isUnread = ({ effects, children }: CallNode): boolean =>
  (effects.length === 0 && children.length === 0) || children.some(isUnread);

/** Whether part of the transaction is not decoded. The decoded part must then not be presented as complete. */
export const isPartlyUnread = (report: ReadReport): boolean =>
  report.limit !== null ||
  report.effects.length === 0 ||
  report.effects.some(({ act, knowledge }) => act === "opaque" || knowledge === "none") ||
  // The effect of an unknown contract was measured instead.
  ((report.assessment?.byEffect ?? null) === null && report.calls.some(isUnread)) ||
  runsForeignCode(report);
