/** A wrong number of decimals is a factor of a million. Our table is compared with what the caller believes. */
import { defineNode, fail, pass, quoted } from "../../node.ts";

export default defineNode({
  title: "Decimals of tokens are what the caller believes",
  severity: "high",
  needs: ["proposal", "registry", "claimedTokens"],
  check({ proposal, registry, claimedTokens }) {
    for (const { address, symbol, decimals } of claimedTokens) {
      const known = registry.token(proposal.chain.id, address);
      if (decimals === null || known === null || known.decimals === decimals) continue;
      return fail(
        `${quoted(symbol ?? address)} has ${known.decimals} decimals; the caller counts with ${decimals}.`,
        {
          expected: String(known.decimals),
          observed: String(decimals),
          evidence: [{ kind: "token", ref: address, value: known.symbol }],
          fix: `Count amounts of ${known.symbol} with ${known.decimals} decimals.`,
        },
      );
    }
    return pass("The caller’s decimals are those of our table.");
  },
});
