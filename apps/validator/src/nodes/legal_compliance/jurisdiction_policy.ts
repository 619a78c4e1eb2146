/** The operator’s rules for the user’s jurisdiction. */
import { defineNode, fail, pass } from "../../node.ts";

export default defineNode({
  title: "Operator’s jurisdiction rules are met",
  failTitle: "Jurisdiction rule broken",
  severity: "medium",
  needs: ["proposal", "reading", "registry", "policy", "jurisdiction"],
  check({ proposal, reading, registry, policy, jurisdiction }) {
    const rules = policy.jurisdictions.filter(
      (rule) => rule.jurisdiction.toUpperCase() === jurisdiction.toUpperCase(),
    );
    for (const { deniedActs, deniedAssets } of rules) {
      const denied = new Set(deniedAssets.map((asset) => asset.toUpperCase()));
      for (const { act, gives, gets, where } of reading.effects) {
        const symbols = [...gives, ...gets].flatMap(({ asset }) =>
          asset.kind === "token"
            ? [registry.token(proposal.chain.id, asset.address)?.symbol.toUpperCase() ?? ""]
            : [],
        );
        const bad = deniedActs.includes(act) ? act : symbols.find((symbol) => denied.has(symbol));
        if (bad !== undefined)
          return fail(`The operator does not allow ${bad} in ${jurisdiction.toUpperCase()}.`, {
            expected: "an allowed action and asset",
            observed: bad,
            where,
            // A rule of the operator decides alone, without a second finding.
            severity: "high",
            fix: "Ask the operator which actions and assets are allowed.",
          });
      }
    }
    return pass("The rules for the jurisdiction allow it.");
  },
});
