/** A transaction that sends more than the account holds fails and still costs gas. */
import { defineNode, fail, pass } from "../../node.ts";

/** A larger amount stands for “all” or “any” and is not a quantity. */
const boundless = 2n ** 255n;

export default defineNode({
  title: "Balance covers what leaves",
  failTitle: "Not enough balance",
  severity: "medium",
  needs: ["reading", "balances"],
  check({ reading, balances }) {
    for (const { asset, most, everything } of reading.net.leaves) {
      if (everything || most >= boundless || asset.kind === "nft" || asset.kind === "unsaid") continue;
      const held = balances.get(asset.kind === "native" ? "native" : asset.address);
      if (held === undefined || held >= most) continue;
      return fail(`Up to ${most.toString()} base units leave; the account holds ${held.toString()}.`, {
        expected: `at most ${held.toString()}`,
        observed: most.toString(),
        evidence: [
          {
            kind: "balance",
            ref: asset.kind === "native" ? "native" : asset.address,
            value: held.toString(),
          },
        ],
        fix: "Lower the amount to what the account holds.",
      });
    }
    return pass("The balances that the caller sent cover what leaves.");
  },
});
