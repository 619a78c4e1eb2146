/** Most of what the account holds, to somebody it has never dealt with, whom the words do not give by address. */
import { asAddress, defineNode, fail, pass, short } from "../../node.ts";

export default defineNode({
  title: "Much is not sent to somebody new unnamed",
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
          `More than half of the balance goes to ${short(to)}, who is new and not named by address.`,
          {
            expected: "a known recipient, or one whose address is in the words",
            observed: to,
            where: places["receiver"] ?? where,
            fix: "Write the recipient’s address in the words, or send a small amount first.",
          },
        );
    }
    return pass("No large part of a balance goes to somebody new who is not named.");
  },
});
