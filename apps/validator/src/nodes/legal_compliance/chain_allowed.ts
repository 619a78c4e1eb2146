/** The operator’s list of chains: for the transaction and for the destination of a bridge. */
import { defineNode, fail, pass, skip } from "../../node.ts";

export default defineNode({
  title: "Operator allows the chain",
  failTitle: "Network not allowed",
  severity: "high",
  needs: ["proposal", "reading", "policy"],
  check({ proposal, reading, policy: { allowedChains } }) {
    if (allowedChains === null) return skip("not_applicable", "The operator restricts no chain.");
    const away = reading.effects.flatMap(({ toChain, where }) =>
      toChain === null ? [] : [{ id: toChain, where }],
    );
    const bad = [{ id: proposal.chain.id, where: null }, ...away].find(({ id }) => !allowedChains.has(id));
    if (bad === undefined) return pass("The operator allows every chain involved.");
    return fail(`The operator does not allow chain ${bad.id}.`, {
      expected: [...allowedChains].join(", "),
      observed: String(bad.id),
      where: bad.where,
      fix: "Use a chain on the operator’s list.",
    });
  },
});
