// The part of an import that does not depend on the format: limits and times that a mandate can have.
import type { Hex } from "../types.ts";
import { tokensOf } from "./amounts.ts";
import { refuse, requireThat, type Draft, type ImportOptions } from "./types.ts";

const longestSeconds = 366 * 86_400;
const shortestPeriod = 60;

/** Mandates end after a year at most. */
export function withinAYear(
  validFrom: number,
  expiry: number | undefined,
): { readonly validUntil: number; readonly narrowed: readonly string[] } {
  const latest = validFrom + longestSeconds;
  if (expiry !== undefined && expiry <= latest) {
    requireThat(expiry > validFrom, "It is over before it begins.");
    return { validUntil: expiry, narrowed: [] };
  }
  return { validUntil: latest, narrowed: ["It ends after a year: a mandate is valid for a year at most."] };
}

type Limit = Draft["limits"][number];
type Source = {
  readonly asset: string;
  readonly chainId: number;
  readonly payees: readonly Hex[] | null;
  readonly purpose: unknown;
  readonly validFrom: number;
  readonly validUntil: number;
  /** `seconds` is null for a total. Windows begin with `validFrom`. */
  readonly limits: readonly { readonly seconds: number | null; readonly units: bigint }[];
  /** Transactions in total. */
  readonly count: bigint | undefined;
};

type Made = { readonly draft: Draft; readonly narrowed: readonly string[] };

/** A period that a mandate can have and that holds the given one: a multiple of it, or the whole time. */
function spanOf(seconds: number | null, { validFrom, validUntil }: Source): Pick<Limit, "span" | "seconds"> {
  if (seconds === null || seconds >= validUntil - validFrom) return { span: "total", seconds: 0 };
  return { span: "period", seconds: seconds * Math.ceil(shortestPeriod / Math.min(seconds, shortestPeriod)) };
}

function limitsOf(source: Source, decimals: number): readonly Limit[] {
  const { asset, limits, count } = source;
  return [
    ...limits.map(({ seconds, units }) => ({
      ...{ measure: asset, ...spanOf(seconds, source), most: tokensOf(units, decimals), decimals },
    })),
    ...(count === undefined
      ? []
      : [{ measure: "count", span: "total" as const, seconds: 0, most: String(count), decimals: 0 }]),
  ];
}

/** The text as a mandate can have it. */
export const purposeOf = (text: unknown): string =>
  (typeof text === "string"
    ? text
        .replace(/[\p{Cc}\p{Cf}]/gu, " ")
        .trim()
        .slice(0, 200)
        .trim()
    : "") || "Imported permission";

/** Builds the draft. Throws `ConversionRefused` for a list of payees that a mandate cannot have. */
export function makeDraft({ agent, decimals: known = {} }: ImportOptions, source: Source): Made {
  const { asset, chainId, payees, purpose, validFrom, validUntil } = source;
  if (payees !== null && (payees.length === 0 || payees.length > 50))
    refuse("A mandate names 1 to 50 recipients.");
  const decimals = asset.includes("/slip44:") ? 18 : (known[asset] ?? 0);
  const draft: Draft = {
    ...{ agent, purpose: purposeOf(purpose), acts: ["transfer"], assets: [asset], validFrom, validUntil },
    recipients: payees === null ? ["*"] : [...new Set(payees)].map((one) => `eip155:${chainId}:${one}`),
    limits: [...limitsOf(source, decimals)],
  };
  const isUnitless = decimals === 0 && known[asset] === undefined;
  const longer =
    source.limits.filter(({ seconds }) => seconds !== null && seconds < shortestPeriod).length > 0;
  return {
    draft,
    narrowed: [
      ...(isUnitless
        ? [`The amounts of ${asset} are in base units, because its decimals are not known.`]
        : []),
      ...(longer ? ["A period below a minute becomes the next multiple of it."] : []),
    ],
  };
}
