/** A payment of most of a balance to a new party whose address is not in the request. */
import { asAddress, defineNode, fail, pass, short } from "../../node.ts";

export default defineNode({
  title: "No large payment to a new, unnamed party",
  failTitle: "Large payment to a new address",
  severity: "medium",
  needs: ["moves", "history", "balances", "wordsAddresses"],
  check({ moves, history, balances, wordsAddresses }) {
    const familiar = new Set([...history, ...wordsAddresses].map(({ address }) => address));
    for (const { act, gives, receiver, places, where } of moves) {
      const to = asAddress(receiver);
      if (act !== "transfer" || to === null || familiar.has(to)) continue;
      const large = gives.find(({ asset, amount }) => {
        if (asset.kind !== "native" && asset.kind !== "token") return false;
        const held = balances.get(asset.kind === "native" ? "native" : asset.address);
        return held !== undefined && held > 0n && (amount.everything === true || amount.most * 2n > held);
      });
      if (large !== undefined)
        return fail(
          `More than half of the balance goes to ${short(to)}, which is new and not in the request.`,
          {
            expected: "a known recipient, or one whose address is in the request",
            observed: to,
            where: places["receiver"] ?? where,
            fix: "Put the recipient’s address in the request, or send a small amount first.",
          },
        );
    }
    return pass("No large share of a balance goes to a new, unnamed party.");
  },
});
