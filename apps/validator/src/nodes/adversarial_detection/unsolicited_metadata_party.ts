/** A paid party that appears in a text next to the request but not in the request: the sign of a poisoned memory. */
import { defineNode, fail, pass, short } from "../../node.ts";

export default defineNode({
  title: "No paid party is named only in metadata",
  failTitle: "Recipient isn’t in your request",
  severity: "critical",
  needs: ["proposal", "beneficiaries", "wordsAddresses", "contracts"],
  check({ proposal: { context }, beneficiaries, wordsAddresses, contracts }) {
    const trusted = new Set([
      ...wordsAddresses.map(({ address }) => address),
      ...context.known.map(({ address }) => address),
      ...context.counterparties,
      ...context.names.values(),
    ]);
    const strangers = beneficiaries.filter(
      ({ address }) => !trusted.has(address) && contracts.at(address).length === 0,
    );
    const texts =
      strangers.length === 0 ? [] : context.texts.map(({ at, text }) => ({ at, lower: text.toLowerCase() }));
    for (const { address, role, where } of strangers) {
      const source = texts.find(({ lower }) => lower.includes(address));
      if (source !== undefined)
        return fail(`The ${role} ${short(address)} is named in ${source.at}, but not in the request.`, {
          expected: "parties that the request names",
          observed: address,
          where,
          evidence: [{ kind: "text", ref: source.at, value: address }],
          fix: "If you mean this recipient, name it in the request.",
        });
    }
    return pass("No party that receives value is named only outside the request.");
  },
});
