/** Several swaps in Balancer's vault at once: its limits set, for each asset, what may leave and what must arrive. */
import { atLeast, atMost, exactly, sameAsset, type Asset } from "../../effects.ts";
import type { Address } from "../../proposal.ts";
import { fn, type DraftFlow } from "../../protocol.ts";
import { feeds, feedsWhen, inert } from "../../uses.ts";
import { faultsOf, fromInside, fundsUses, payerOf } from "./balancer-funds.ts";
import { assetAt, flow, partyAt } from "./swap-draft.ts";

type Limited = { readonly asset: Asset; readonly limit: bigint; readonly at: string };

/** A positive limit is the most that leaves; a negative one is the least that arrives. */
const batchFlows = (assets: readonly string[], limits: readonly bigint[]) => {
  if (assets.length !== limits.length) throw new Error("the numbers of limits and assets differ");
  const all: readonly Limited[] = assets.map((at, i) => ({
    asset: assetAt(at),
    limit: limits[i] ?? 0n,
    at: `limits[${i}]`,
  }));
  const gives = all
    .filter(({ limit }) => limit > 0n)
    .map((each) => flow(each.asset, atMost(each.limit), each.at));
  const gets = all
    .filter(({ limit }) => limit < 0n)
    .map((each) => flow(each.asset, atLeast(-each.limit), each.at));
  return { gives, gets };
};

type Step = {
  readonly poolId: string;
  readonly assetInIndex: bigint;
  readonly assetOutIndex: bigint;
  readonly amount: bigint;
};

/** Without a limit that guarantees an output, the last asset reached is the output, without a minimum. */
const unpromised = (
  steps: readonly Step[],
  assets: readonly string[],
  exactOut: boolean,
): readonly DraftFlow[] => {
  const end = exactOut ? steps[0] : steps.at(-1);
  const out = end === undefined ? undefined : assets[Number(end.assetOutIndex)];
  if (out === undefined) throw new Error("the steps name an asset that is not listed");
  return [flow(assetAt(out), atLeast(0n), "limits")];
};

/** With an exact input the limit may be higher than the amount given, and the amount given counts. */
const sharpen = (
  gives: readonly DraftFlow[],
  steps: readonly Step[],
  assets: readonly string[],
): readonly DraftFlow[] => {
  const [only] = gives;
  if (gives.length !== 1 || only === undefined) return gives;
  const paying = steps.filter(({ amount }) => amount > 0n);
  const given = paying.reduce((sum, { amount }) => sum + amount, 0n);
  const same = paying.every(({ assetInIndex }) => {
    const at = assets[Number(assetInIndex)];
    return at !== undefined && sameAsset(assetAt(at), only.asset);
  });
  return same && given > 0n && given <= only.amount.most ? [{ ...only, amount: exactly(given) }] : gives;
};

/** The tokens along the steps, if each continues with the output of the one before. */
const pathOf = (steps: readonly Step[], assets: readonly string[], exactOut: boolean): readonly Address[] => {
  const ordered = exactOut ? steps.toReversed() : steps;
  const isChain = ordered.every(
    ({ assetInIndex }, i) => i === 0 || assetInIndex === ordered[i - 1]?.assetOutIndex,
  );
  const [first] = ordered;
  if (!isChain || first === undefined) return [];
  return [first.assetInIndex, ...ordered.map(({ assetOutIndex }) => assetOutIndex)].flatMap((index) => {
    const at = assets[Number(index)];
    if (at === undefined) throw new Error("the steps name an asset that is not listed");
    const asset = assetAt(at);
    return asset.kind === "token" ? [asset.address] : [];
  });
};

export const batchSwap = fn(
  "function batchSwap(uint8 kind, (bytes32 poolId, uint256 assetInIndex, uint256 assetOutIndex, uint256 amount, bytes userData)[] swaps, address[] assets, (address sender, bool fromInternalBalance, address recipient, bool toInternalBalance) funds, int256[] limits, uint256 deadline) payable",
  ["vault"],
  {
    kind: feeds.terms,
    swaps: {
      poolId: inert.bounded,
      assetInIndex: feedsWhen("amount", "the input is exact"),
      assetOutIndex: feedsWhen("asset", "no limit guarantees the output"),
      amount: feedsWhen("amount", "the input is exact"),
      userData: inert.bounded,
    },
    assets: feedsWhen("asset", "its limit is not zero"),
    funds: fundsUses,
    limits: feedsWhen("minimum", "the steps do not fix the input exactly"),
    deadline: feeds.deadline,
  },
  ([kind, steps, assets, funds, limits, deadline], call) => {
    if (kind > 1) throw new Error("the kind of swap is not known");
    const exactOut = kind === 1;
    const { gives, gets } = batchFlows(assets, limits);
    const faults = faultsOf(
      steps.map(({ poolId }) => poolId),
      funds,
    );
    const path = pathOf(steps, assets, exactOut);
    return {
      act: "swap",
      gives: exactOut ? gives : sharpen(gives, steps, assets),
      gets: gets.length > 0 ? gets : unpromised(steps, assets, exactOut),
      payer: payerOf(funds.sender, call),
      receiver: partyAt(funds.recipient, call),
      deadline,
      choices: fromInside(funds.fromInternalBalance, "funds.fromInternalBalance"),
      terms: {
        ...(exactOut ? { exactOut: true } : {}),
        ...(path.length > 0 ? { path } : {}),
        ...(faults.length > 0 ? { faults } : {}),
      },
      places: { receiver: "funds.recipient", minimum: "limits", deadline: "deadline" },
    };
  },
);
