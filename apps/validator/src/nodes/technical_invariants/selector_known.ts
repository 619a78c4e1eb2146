/** A known contract with an unknown function is an unknown contract. */
import { defineNode, pass, skip } from "../../node.ts";

export default defineNode({
  title: "Contract is known to have the function",
  failTitle: "Unknown function",
  severity: "high",
  needs: ["proposal", "reading", "registry", "contracts"],
  check({ proposal, reading, registry, contracts }) {
    const unknown = reading.leaves.find(
      ({ to, data, function: name }) =>
        to !== null &&
        name === null &&
        data.length >= 10 &&
        (contracts.at(to).length > 0 || registry.token(proposal.chain.id, to) !== null),
    );
    if (unknown === undefined) return pass("Every contract is known to have the called function.");
    const selector = unknown.data.slice(0, 10);
    const why = `We know the contract ${unknown.to ?? ""}, but not its function ${selector}.`;
    return skip("not_checked", why, {
      expected: "a function in our tables for that contract",
      observed: selector,
      where: { call: unknown.where, field: "data", bytes: [0, 4] },
      fix: "Call a documented function of the contract.",
    });
  },
});
