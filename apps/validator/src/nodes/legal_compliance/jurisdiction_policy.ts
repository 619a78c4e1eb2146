/** The operator’s rules for where the person is. */
import { defineNode, fail, pass } from "../../node.ts";

export default defineNode({
  title: "The operator’s rules for the jurisdiction are kept",
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
            expected: "what is allowed there",
            observed: bad,
            where,
            // A rule of the operator’s is a rule: it does not need a second finding beside it.
            severity: "high",
            fix: "Ask the operator which actions and assets are allowed.",
          });
      }
    }
    return pass("No rule for the jurisdiction forbids it.");
  },
});
