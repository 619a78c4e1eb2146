/** The operator’s limits per transaction, in dollars and in units. */
import { defineNode, fail, pass, skip, type Finding } from "../../node.ts";
import type { Asset, Facts } from "../../facts.ts";

type Given = Pick<Facts, "proposal" | "reading" | "registry" | "policy" | "usd">;

const symbolOf = (asset: Asset, { proposal: { chain }, registry }: Given): string | null => {
  if (asset.kind === "native") return registry.chain(chain.id)?.coin ?? null;
  return asset.kind === "token" ? (registry.token(chain.id, asset.address)?.symbol ?? null) : null;
};

function overUnits(given: Given): Finding | null {
  for (const { asset, most } of given.reading.net.leaves) {
    const symbol = symbolOf(asset, given)?.toUpperCase();
    const cap = symbol === undefined ? undefined : given.policy.maxUnitsPerTransaction.get(symbol);
    if (cap !== undefined && most > cap)
      return fail(
        `Up to ${most.toString()} base units of ${symbol ?? ""} leave; the operator’s limit is ${cap.toString()}.`,
        {
          expected: `at most ${cap.toString()}`,
          observed: most.toString(),
          fix: "Send less, or split it as the operator allows.",
        },
      );
  }
  return null;
}

export default defineNode({
  title: "Amounts stay within the operator’s limits",
  failTitle: "Above an amount limit",
  severity: "high",
  needs: ["proposal", "reading", "registry", "policy", "usd"],
  check(given) {
    const { maxUsdPerTransaction, maxUnitsPerTransaction } = given.policy;
    if (maxUsdPerTransaction === null && maxUnitsPerTransaction.size === 0)
      return skip("not_applicable", "The operator sets no amount limit.");
    const units = overUnits(given);
    if (units !== null) return units;
    if (maxUsdPerTransaction === null) return pass("Every amount is within the operator’s limit.");
    const worths = given.reading.net.leaves.map(({ asset, most }) => given.usd(asset, most));
    const total = worths.reduce<number>((sum, worth) => sum + (worth ?? 0), 0);
    if (total > maxUsdPerTransaction)
      return fail(
        `About ${Math.round(total)} dollars leave; the operator’s limit is ${maxUsdPerTransaction}.`,
        {
          expected: `at most ${maxUsdPerTransaction} dollars`,
          observed: `${Math.round(total)} dollars`,
          fix: "Send less, or ask the operator.",
        },
      );
    if (worths.includes(null))
      return skip("missing_context", "A price is missing, so the dollar limit was not checked.");
    return pass("The dollar value is within the operator’s limit.");
  },
});
