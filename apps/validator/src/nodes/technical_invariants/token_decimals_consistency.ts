/**
 * A wrong number of decimals changes an amount by a factor of up to a trillion. Compares the decimals that the caller or the token itself
 * claims with our table.
 */
import { defineNode, fail, pass, quoted } from "../../node.ts";

export default defineNode({
  title: "Token decimals agree",
  failTitle: "Token decimals differ",
  severity: "high",
  needs: ["proposal", "registry", "claimedTokens"],
  check({ proposal, registry, claimedTokens }) {
    for (const { address, symbol, decimals } of claimedTokens) {
      const known = registry.token(proposal.chain.id, address);
      if (decimals === null || known === null || known.decimals === decimals) continue;
      return fail(`${quoted(symbol ?? address)} has ${known.decimals} decimals; ${decimals} are claimed.`, {
        expected: String(known.decimals),
        observed: String(decimals),
        evidence: [{ kind: "token", ref: address, value: known.symbol }],
        fix: `Use ${known.symbol} with ${known.decimals} decimals.`,
      });
    }
    return pass("All claimed decimals match our table.");
  },
});
