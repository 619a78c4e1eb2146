/** What is not there cannot be sent: the transaction would fail and cost its gas. */
import { defineNode, fail, pass } from "../../node.ts";

/** Above this an amount is a word for “all” or “any”, not a quantity. */
const boundless = 2n ** 255n;

export default defineNode({
  title: "The account holds what it gives",
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
    return pass("The account holds what leaves it, as far as balances were sent.");
  },
});
