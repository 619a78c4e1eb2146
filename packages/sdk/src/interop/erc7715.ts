// ERC-7715: permissions that a wallet grants on request (wallet_requestExecutionPermissions).
import type { Hex } from "../types.ts";
import { assetId, readAddress, readChain, readSeconds, readUnits } from "./amounts.ts";
import { limitText, narrowedBy, planExport, type AssetPlan } from "./export.ts";
import { makeDraft, withinAYear } from "./import.ts";
import {
  refuse,
  requireThat,
  type Draft,
  type Imported,
  type ImportOptions,
  type MandateTerms,
} from "./types.ts";
import { windowWithin } from "./windows.ts";

/** A request for a permission. Numbers are in hex, times in Unix seconds. */
export type Erc7715Permission = {
  readonly chainId: Hex;
  readonly from?: Hex;
  readonly to: Hex;
  readonly permission: {
    readonly type: string;
    readonly isAdjustmentAllowed: boolean;
    readonly data: Readonly<Record<string, unknown>>;
  };
  readonly rules?:
    readonly { readonly type: string; readonly data: Readonly<Record<string, unknown>> }[] | null;
};

const hex = (n: bigint | number): Hex => `0x${n.toString(16)}`;

function permissionOf(terms: MandateTerms, delegate: Hex, plan: AssetPlan) {
  const { asset, limits, payees } = plan;
  const window = windowWithin(limits, terms);
  if (window === undefined)
    return refuse(`The limits of ${asset.id} leave nothing that a permission could allow.`);
  const amounts =
    window.seconds === null
      ? { allowanceAmount: hex(window.units) }
      : { periodAmount: hex(window.units), periodDuration: window.seconds };
  const permission: Erc7715Permission = {
    ...{ chainId: hex(asset.chainId), from: readAddress(terms.account, "account"), to: delegate },
    permission: {
      type: `${asset.token === null ? "native-token" : "erc20-token"}-${window.seconds === null ? "allowance" : "periodic"}`,
      // The wallet must not grant more than the mandate.
      isAdjustmentAllowed: false,
      data: {
        ...(asset.token === null ? {} : { tokenAddress: asset.token }),
        ...{ ...amounts, startTime: terms.validFrom, justification: terms.purpose },
      },
    },
    rules: [
      { type: "expiry", data: { timestamp: terms.validUntil } },
      ...(payees === null ? [] : [{ type: "payee", data: { addresses: payees } }]),
    ],
  };
  return { permission, narrowed: narrowedBy(limits, window) };
}

/** Result of `toErc7715`. */
export type Erc7715Export = {
  /** One for each asset. Two for one asset would add up. */
  readonly permissions: readonly Erc7715Permission[];
  /** Where the permissions allow less than the mandate. */
  readonly narrowed: readonly string[];
};

/**
 * Returns permissions that allow at most what the mandate allows, for an address of the agent. Throws `ConversionRefused` if a
 * limit cannot be expressed: dollars, and numbers of transactions.
 *
 * @example
 * const { permissions, narrowed } = toErc7715(mandate.terms, { delegate: "0x…" });
 * await wallet.request({ method: "wallet_requestExecutionPermissions", params: permissions });
 */
export function toErc7715(terms: MandateTerms, { delegate }: { readonly delegate: Hex }): Erc7715Export {
  const { assets, counts, narrowed } = planExport(terms);
  if (counts.length > 0)
    refuse(
      ...counts.map((limit) => `${limitText(limit)} cannot be expressed: ERC-7715 counts no transactions.`),
    );
  const to = readAddress(delegate, "delegate");
  const made = assets.map((plan) => permissionOf(terms, to, plan));
  return {
    permissions: made.map(({ permission }) => permission),
    narrowed: [...narrowed, ...made.flatMap((one) => one.narrowed)],
  };
}

type Data = Readonly<Record<string, unknown>>;
type Read = {
  readonly validFrom: number;
  readonly limits: readonly { readonly seconds: number | null; readonly units: bigint }[];
  readonly narrowed: readonly string[];
};

const daySeconds = 86_400;

/**
 * A stream allows a first amount, and more each second. Daily windows of a day's stream allow less at every time: from the
 * beginning if the first amount is as large, otherwise a day later.
 */
function readStream(data: Data, start: number): Read {
  const perSecond = readUnits(data["amountPerSecond"], "amountPerSecond");
  const initial = readUnits(data["initialAmount"] ?? 0, "initialAmount");
  const units = perSecond * BigInt(daySeconds);
  requireThat(units > 0n, "The stream allows nothing.");
  const total =
    data["maxAmount"] == null ? [] : [{ seconds: null, units: readUnits(data["maxAmount"], "maxAmount") }];
  const startsLater = initial < units;
  return {
    validFrom: startsLater ? start + daySeconds : start,
    limits: [{ seconds: daySeconds, units }, ...total],
    narrowed: [
      `The stream becomes fixed days${startsLater ? ", from a day after its beginning" : ""}. A first amount is left out.`,
    ],
  };
}

function readLimits(type: string, data: Data, start: number): Read {
  const periodic = { seconds: data["periodDuration"], units: data["periodAmount"] };
  if (type === "allowance")
    return {
      ...{ validFrom: start, narrowed: [] },
      limits: [{ seconds: null, units: readUnits(data["allowanceAmount"], "allowanceAmount") }],
    };
  if (type === "stream") return readStream(data, start);
  const seconds = readSeconds(periodic.seconds, "periodDuration");
  requireThat(seconds > 0, "periodDuration is 0.");
  const units = readUnits(periodic.units, "periodAmount");
  return { validFrom: start, limits: [{ seconds, units }], narrowed: [] };
}

type Rules = {
  readonly expiry: number | undefined;
  readonly payees: readonly Hex[] | null;
  readonly narrowed: readonly string[];
};

/** Every rule narrows the permission, so one that is not known must not be dropped. */
function readRules({ rules }: Erc7715Permission): Rules {
  const known = ["expiry", "payee", "redeemer"];
  const list = rules ?? [];
  const strange = list.filter(({ type }) => !known.includes(type));
  if (strange.length > 0) refuse(...strange.map(({ type }) => `The rule ${type} is not known.`));
  const expiries = list
    .filter(({ type }) => type === "expiry")
    .map(({ data }) => readSeconds(data["timestamp"], "expiry"));
  const payees = list
    .filter(({ type }) => type === "payee")
    .map(({ data }) =>
      (Array.isArray(data["addresses"]) ? data["addresses"] : [null]).map((one) => readAddress(one, "payee")),
    );
  requireThat(payees.length <= 1, "Two rules name payees.");
  return {
    expiry: expiries.length === 0 ? undefined : Math.min(...expiries),
    payees: payees[0] ?? null,
    narrowed: list.some(({ type }) => type === "redeemer")
      ? ["The addresses that may redeem it are left out: a mandate names its agent."]
      : [],
  };
}

function draftOf(
  one: Erc7715Permission,
  options: ImportOptions,
): { readonly draft: Draft; readonly narrowed: readonly string[] } {
  const { type, data } = one.permission;
  const [, kind, shape = ""] = /^(native|erc20)-token-(periodic|allowance|stream)$/.exec(type) ?? [];
  if (kind === undefined) return refuse(`The permission ${type} is not known.`);
  const chainId = readChain(one.chainId);
  const token = kind === "native" ? null : readAddress(data["tokenAddress"], "tokenAddress");
  const start = data["startTime"] == null ? options.now : readSeconds(data["startTime"], "startTime");
  const read = readLimits(shape, data, start);
  const rules = readRules(one);
  const { validUntil, narrowed } = withinAYear(read.validFrom, rules.expiry);
  const made = makeDraft(options, {
    ...{ asset: assetId(chainId, token), chainId, payees: rules.payees, count: undefined },
    ...{ purpose: data["justification"], validFrom: read.validFrom, validUntil, limits: read.limits },
  });
  return {
    draft: made.draft,
    narrowed: [...read.narrowed, ...rules.narrowed, ...narrowed, ...made.narrowed],
  };
}

/**
 * Returns a draft of a mandate for each permission. No draft allows more than its permission; an unknown type or rule throws
 * `ConversionRefused`.
 */
export function fromErc7715(permissions: readonly Erc7715Permission[], options: ImportOptions): Imported {
  const made = permissions.map((one) => draftOf(one, options));
  return { drafts: made.map(({ draft }) => draft), narrowed: made.flatMap(({ narrowed }) => narrowed) };
}
