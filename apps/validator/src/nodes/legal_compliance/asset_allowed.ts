/** The operator’s list of assets, by symbol or address. */
import { defineNode, fail, pass, skip } from "../../node.ts";
import type { Asset, Registry } from "../../facts.ts";

/** Returns every spelling of an asset that a list may use. */
function namesOf(asset: Asset, chain: number, registry: Registry): readonly string[] {
  if (asset.kind === "unsaid") return [];
  if (asset.kind === "native") return ["native", registry.chain(chain)?.coin ?? "native"];
  const symbol = registry.token(chain, asset.address)?.symbol;
  return [asset.address, `${chain}:${asset.address}`, ...(symbol === undefined ? [] : [symbol])];
}

export default defineNode({
  title: "Operator allows the assets",
  failTitle: "Asset not allowed",
  severity: "high",
  needs: ["proposal", "reading", "registry", "policy"],
  check({ proposal, reading, registry, policy }) {
    const { allowedAssets, deniedAssets } = policy;
    if (allowedAssets === null && deniedAssets.size === 0)
      return skip("not_applicable", "The operator restricts no asset.");
    const isIn = (set: ReadonlySet<string>, names: readonly string[]): boolean =>
      names.some((name) => set.has(name) || set.has(name.toUpperCase()) || set.has(name.toLowerCase()));
    const flows = reading.effects.flatMap(({ gives, gets }) => [...gives, ...gets]);
    const bad = flows.find(({ asset }) => {
      const names = namesOf(asset, proposal.chain.id, registry);
      return (
        isIn(deniedAssets, names) ||
        (allowedAssets !== null && asset.kind !== "unsaid" && !isIn(allowedAssets, names))
      );
    });
    if (bad === undefined) return pass("The operator allows every asset.");
    const name = namesOf(bad.asset, proposal.chain.id, registry).at(-1) ?? bad.asset.kind;
    return fail(`The operator does not allow ${name}.`, {
      expected: "an asset on the operator’s list",
      observed: name,
      where: bad.where,
      fix: "Use an asset on the operator’s list.",
    });
  },
});
