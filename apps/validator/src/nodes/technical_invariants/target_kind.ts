/** A plain transfer to a token, pool or router contract is lost. */
import { asAddress, defineNode, fail, pass, short } from "../../node.ts";

export default defineNode({
  title: "Payment goes to an account, not to a contract",
  failTitle: "Pays a contract",
  severity: "high",
  needs: ["proposal", "moves", "registry", "contracts"],
  check({ proposal, moves, registry, contracts }) {
    const kindOf = (address: `0x${string}`): string | null => {
      const token = registry.token(proposal.chain.id, address);
      if (token !== null) return `the contract of the token ${token.symbol}`;
      const [owner] = contracts.at(address);
      return owner === undefined ? null : `a contract of ${owner.protocol} (${owner.role})`;
    };
    for (const { act, receiver, gives, payer, places, where } of moves) {
      const to = asAddress(receiver);
      if (act !== "transfer" || to === null || payer !== "self" || gives.length === 0) continue;
      const kind = kindOf(to);
      if (kind !== null)
        return fail(`The recipient ${short(to)} is ${kind}. Funds sent there would be lost.`, {
          expected: "an account that can send the assets again",
          observed: kind,
          where: places["receiver"] ?? where,
          fix: "Send to the intended account, or call the contract’s own function.",
        });
    }
    return pass("No plain transfer goes to a token, a pool or a router.");
  },
});
