// ERC-7710 delegations with caveats of the MetaMask delegation framework.
import type { Hex } from "../types.ts";
import { assetId, readAddress, readChain, tokensOf, unitsOf } from "./amounts.ts";
import {
  enforcerNames,
  listOf,
  partsOf,
  periodCaveat,
  readPayees,
  readsTransfers,
  timeCaveat,
  totalCaveat,
  transferCaveats,
  word,
  type Caveat,
  type Enforcers,
  type NamedCaveat,
} from "./caveats.ts";
import { limitText, narrowedBy, planExport, type AssetPlan, type Limit } from "./export.ts";
import { makeDraft, withinAYear } from "./import.ts";
import {
  lower,
  refuse,
  requireThat,
  type Draft,
  type Imported,
  type ImportOptions,
  type MandateTerms,
} from "./types.ts";
import { least, lengthOf, windowWithin, type Window } from "./windows.ts";

/** A delegation without its signature, and the chain that it is for. */
export type Erc7710Delegation = {
  readonly chainId: number;
  readonly delegate: Hex;
  readonly delegator: Hex;
  readonly authority: Hex;
  readonly caveats: readonly Caveat[];
  /** A number in hex. */
  readonly salt: Hex;
};

/** Result of `toErc7710`. */
export type Erc7710Export = {
  /** One for each asset. */
  readonly delegations: readonly Erc7710Delegation[];
  /** Where the delegations allow less than the mandate. */
  readonly narrowed: readonly string[];
};

/** Options of `toErc7710`. */
export type Erc7710Options = {
  /** An address of the agent. */
  readonly delegate: Hex;
  readonly enforcers: Enforcers;
};

/** The authority of a delegation that comes from the account itself. */
const root: Hex = `0x${"ff".repeat(32)}`;

type Amounts = { readonly caveats: readonly NamedCaveat[]; readonly narrowed: readonly string[] };

type Chosen = {
  /** With a length. A window without one is part of the total. */
  readonly window: Window | undefined;
  readonly total: Window | undefined;
  readonly narrowed: readonly string[];
};

/** One window and one total: an enforcer keeps one counter for a delegation, so no enforcer may appear twice. */
function chooseAmounts(terms: MandateTerms, id: string, limits: readonly Limit[]): Chosen {
  // A limit per transaction alone bounds nothing over time, so the total takes it over.
  const isBounded = limits.some((limit) => lengthOf(limit) !== null);
  const forWindow = isBounded ? limits.filter(({ span }) => span !== "total") : [];
  const forTotal = limits.filter((limit) => !forWindow.includes(limit));
  const window = windowWithin(forWindow, terms);
  if (isBounded && window === undefined) return refuse(nothingLeft(id));
  const isTotal = window?.seconds === null;
  const bounds = [...forTotal.map(unitsOf), ...(isTotal ? [window.units] : [])];
  const total = bounds.length === 0 ? undefined : { seconds: null, units: least(bounds) };
  if (total?.units === 0n) return refuse(nothingLeft(id));
  const narrowed = [
    ...(window === undefined ? [] : narrowedBy(forWindow, window)),
    ...(total === undefined ? [] : narrowedBy(forTotal, total)),
  ];
  return { window: isTotal ? undefined : window, total, narrowed };
}

const nothingLeft = (id: string): string =>
  `The limits of ${id} leave nothing that a delegation could allow.`;

function amountCaveats(terms: MandateTerms, { asset: { token, id }, limits }: AssetPlan): Amounts {
  // The value of a call is the amount of a payment in the native currency.
  const each = token === null ? limits.filter(({ span }) => span === "transaction") : [];
  const { window, total, narrowed } = chooseAmounts(
    terms,
    id,
    limits.filter((limit) => !each.includes(limit)),
  );
  return {
    caveats: [
      ...(window?.seconds == null
        ? []
        : [periodCaveat(token, window.units, window.seconds, terms.validFrom)]),
      ...(total === undefined ? [] : [totalCaveat(token, total.units)]),
      ...(each.length === 0 ? [] : [{ name: "ValueLte" as const, terms: word(least(each.map(unitsOf))) }]),
    ],
    narrowed,
  };
}

/** Each delegation counts for itself, so they share the number of transactions. */
function countCaveats(counts: readonly Limit[], delegations: number): Amounts {
  if (counts.length === 0) return { caveats: [], narrowed: [] };
  const most = least(counts.map(unitsOf)) / BigInt(delegations);
  if (most === 0n) return refuse("There are more assets than transactions.");
  return {
    caveats: [{ name: "LimitedCalls", terms: word(most) }],
    narrowed: counts
      .filter((limit) => limit.span !== "total" || unitsOf(limit) !== most)
      .map((limit) => `${limitText(limit)} is held by ${most} transactions in total for each asset.`),
  };
}

/**
 * Returns delegations that allow at most what the mandate allows. Throws `ConversionRefused` if a limit cannot be expressed:
 * dollars. The owner's wallet has to sign them.
 */
export function toErc7710(terms: MandateTerms, { delegate, enforcers }: Erc7710Options): Erc7710Export {
  const { assets, counts, narrowed } = planExport(terms);
  const count = countCaveats(counts, assets.length);
  const made = assets.map((plan) => {
    const amounts = amountCaveats(terms, plan);
    const caveats = [
      ...amounts.caveats,
      timeCaveat(terms.validFrom, terms.validUntil),
      ...count.caveats,
      ...transferCaveats(plan.asset.token, plan.payees, enforcers),
    ];
    const delegation: Erc7710Delegation = {
      ...{ chainId: plan.asset.chainId, delegate: readAddress(delegate, "delegate"), authority: root },
      ...{ delegator: readAddress(terms.account, "account"), salt: lower(terms.nonce) },
      caveats: caveats.map(({ name, terms: encoded }) => ({
        enforcer: enforcers[name],
        terms: encoded,
        args: "0x",
      })),
    };
    return { delegation, narrowed: amounts.narrowed };
  });
  return {
    delegations: made.map(({ delegation }) => delegation),
    narrowed: [...narrowed, ...count.narrowed, ...made.flatMap((one) => one.narrowed)],
  };
}

/** Every caveat narrows the delegation, so one that is not known must not be dropped. */
function nameCaveats(caveats: readonly Caveat[], enforcers: Enforcers): readonly NamedCaveat[] {
  const named = caveats.map(({ enforcer, terms }) => {
    const name = enforcerNames.find((one) => lower(enforcers[one]) === lower(enforcer));
    return name === undefined
      ? refuse(`The enforcer ${enforcer} is not known.`)
      : { name, terms: lower(terms) };
  });
  const twice = named.find(({ name }, index) => named.findIndex((one) => one.name === name) !== index);
  return twice === undefined ? named : refuse(`The enforcer ${twice.name} appears twice.`);
}

type Found = (name: NamedCaveat["name"]) => Hex | undefined;
type ReadAmounts = {
  readonly token: Hex | null;
  readonly start: number | undefined;
  readonly limits: readonly { readonly seconds: number | null; readonly units: bigint }[];
};

const numberOf = (part: Hex | undefined): bigint => BigInt(part ?? "0x0");

/** Reads the amounts of one asset. All caveats of amounts have to be about it. */
function readAmounts(found: Found): ReadAmounts {
  const native = [found("NativeTokenPeriodTransfer"), found("NativeTokenTransferAmount")];
  const token = [found("ERC20PeriodTransfer"), found("ERC20TransferAmount")];
  const isNative = native.some((terms) => terms !== undefined);
  requireThat(
    isNative !== token.some((terms) => terms !== undefined),
    "It is not about one asset with a limit.",
  );
  const [period, total] = isNative ? native : token;
  const prefix = isNative ? [] : [20];
  const periodParts = period && partsOf(period, [...prefix, 32, 32, 32], "the period").slice(-3);
  const totalParts = total && partsOf(total, [...prefix, 32], "the total").slice(-1);
  const tokens = isNative
    ? []
    : token.flatMap((terms) => (terms === undefined ? [] : [lower(`0x${terms.slice(2, 42)}`)]));
  requireThat(new Set(tokens).size <= 1, "The caveats are about different tokens.");
  const seconds = Number(numberOf(periodParts?.[1]));
  requireThat(periodParts === undefined || seconds > 0, "The period is 0.");
  return {
    token: tokens[0] ?? null,
    start: periodParts === undefined ? undefined : Number(numberOf(periodParts[2])),
    limits: [
      ...(periodParts === undefined ? [] : [{ seconds, units: numberOf(periodParts[0]) }]),
      ...(totalParts === undefined ? [] : [{ seconds: null, units: numberOf(totalParts[0]) }]),
    ],
  };
}

/** Reads who can be paid, and refuses caveats that leave no transfer. */
function readTargets(
  found: Found,
  token: Hex | null,
  named: readonly NamedCaveat[],
  enforcers: Enforcers,
): readonly Hex[] | null {
  const [targets, methods] = [found("AllowedTargets"), found("AllowedMethods")];
  const list = targets === undefined ? null : listOf(targets, 20, "AllowedTargets");
  if (token === null) {
    requireThat(
      methods === undefined && (found("ExactCalldata") ?? "0x") === "0x",
      "It does not allow plain payments.",
    );
    requireThat(
      !found("AllowedCalldata") && !found("LogicalOrWrapper"),
      "Its call data is bounded in a way that is not known.",
    );
    return list;
  }
  requireThat(list === null || list.includes(token), "It does not allow calls of the token.");
  requireThat(methods === undefined || readsTransfers(methods), "It does not allow transfers.");
  requireThat(found("ExactCalldata") === undefined, "It allows one exact call only.");
  return readPayees(named, enforcers);
}

/** A limit for each payment, from a bound of the native currency that one call carries. */
const perPayment = (found: Found, token: Hex | null): bigint | undefined => {
  const terms = found("ValueLte");
  return terms === undefined || token !== null ? undefined : numberOf(partsOf(terms, [32], "ValueLte")[0]);
};

/** The first moment from which windows of a mandate are windows of the delegation. */
function beginOf({ start, limits }: ReadAmounts, after: number): number {
  const seconds = limits.find((one) => one.seconds !== null)?.seconds;
  if (start === undefined || seconds == null) return after;
  return start >= after ? start : start + Math.ceil((after - start) / seconds) * seconds;
}

function draftOf(
  delegation: Erc7710Delegation,
  { enforcers, ...options }: ImportOptions & { readonly enforcers: Enforcers },
): { readonly draft: Draft; readonly narrowed: readonly string[] } {
  requireThat(
    lower(delegation.authority) === root,
    "It passes on another delegation, whose caveats are not here.",
  );
  const named = nameCaveats(delegation.caveats, enforcers);
  const found: Found = (name) => named.find((one) => one.name === name)?.terms;
  const amounts = readAmounts(found);
  const chainId = readChain(delegation.chainId);
  const [after = 0, before = 0] = partsOf(
    found("Timestamp") ?? `0x${"00".repeat(32)}`,
    [16, 16],
    "Timestamp",
  ).map(Number);
  const validFrom = beginOf(amounts, after === 0 ? options.now : after + 1);
  const { validUntil, narrowed } = withinAYear(validFrom, before === 0 ? undefined : before);
  const calls = found("LimitedCalls");
  const made = makeDraft(options, {
    ...{ asset: assetId(chainId, amounts.token), chainId, purpose: undefined, validFrom, validUntil },
    ...{ payees: readTargets(found, amounts.token, named, enforcers), limits: amounts.limits },
    count: calls === undefined ? undefined : numberOf(partsOf(calls, [32], "LimitedCalls")[0]),
  });
  const most = perPayment(found, amounts.token);
  if (most !== undefined) made.draft.limits.push(...eachAtMost(made.draft, most));
  return { draft: made.draft, narrowed: [...narrowed, ...made.narrowed] };
}

const eachAtMost = ({ assets: [measure = ""] }: Draft, units: bigint): Draft["limits"] => [
  { measure, span: "transaction", seconds: 0, most: tokensOf(units, 18), decimals: 18 },
];

/**
 * Returns a draft of a mandate for each delegation. No draft allows more than its delegation; an unknown enforcer throws
 * `ConversionRefused`.
 */
export function fromErc7710(
  delegations: readonly Erc7710Delegation[],
  options: ImportOptions & { readonly enforcers: Enforcers },
): Imported {
  const made = delegations.map((one) => draftOf(one, options));
  return { drafts: made.map(({ draft }) => draft), narrowed: made.flatMap(({ narrowed }) => narrowed) };
}
