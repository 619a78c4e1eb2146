// The part of an export that does not depend on the format: which assets can be given away, and what has to be refused.
import { assetOf, payeesOf, tokensOf, type Asset } from "./amounts.ts";
import { refuse, type MandateTerms } from "./types.ts";
import { isExactly, type Window } from "./windows.ts";
import type { Hex } from "../types.ts";

export type Limit = MandateTerms["limits"][number];

export type AssetPlan = {
  readonly asset: Asset;
  readonly limits: readonly Limit[];
  /** Null: anyone. */
  readonly payees: readonly Hex[] | null;
};

export type Plan = {
  readonly assets: readonly AssetPlan[];
  /** Limits of the number of transactions. */
  readonly counts: readonly Limit[];
  readonly narrowed: readonly string[];
};

export const limitText = ({ measure, span, seconds, most }: Limit): string =>
  `${most} ${measure} ${span === "total" ? "in total" : `per ${span}`}${seconds > 0 ? ` of ${seconds} s` : ""}`;

const windowText = ({ seconds, units }: Window, decimals: number): string =>
  `${tokensOf(units, decimals)} ${seconds === null ? "in total" : `per fixed ${seconds} s`}`;

/** A sentence for each limit that the window holds without being it. */
export const narrowedBy = (limits: readonly Limit[], window: Window): readonly string[] =>
  limits
    .filter((limit) => !isExactly(limit, window))
    .map(
      (limit) =>
        `${limitText(limit)} is held by ${windowText(window, limit.decimals)}, which never adds up to more.`,
    );

/** Refuses what no chain can express: dollars, and mandates without transfers. */
export function planExport(terms: MandateTerms): Plan {
  const { acts, assets, limits } = terms;
  if (!acts.includes("transfer"))
    refuse("The mandate has no transfers, and only transfers can be expressed.");
  const dollars = limits.filter(({ measure }) => measure === "usd");
  if (dollars.length > 0)
    refuse(...dollars.map((limit) => `${limitText(limit)} cannot be expressed: a chain knows no prices.`));
  const all = assets.map((id): AssetPlan => {
    const asset = assetOf(id);
    return { asset, payees: payeesOf(terms, asset), limits: limits.filter(({ measure }) => measure === id) };
  });
  const usable = all.filter(({ payees }) => payees === null || payees.length > 0);
  if (usable.length === 0) refuse("No asset has a recipient on its chain.");
  const others = acts.filter((act) => act !== "transfer");
  return {
    assets: usable,
    counts: limits.filter(({ measure }) => measure === "count"),
    narrowed: [
      ...(others.length === 0 ? [] : [`Only transfers are expressed, not ${others.join(", ")}.`]),
      ...all
        .filter((one) => !usable.includes(one))
        .map(({ asset }) => `${asset.id} is left out: no recipient is on its chain.`),
    ],
  };
}
