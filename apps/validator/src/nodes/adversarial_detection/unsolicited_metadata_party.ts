/** Somebody is paid who stands in a text beside the request, and not in the request: how a poisoned memory looks from here. */
import { defineNode, fail, pass, short } from "../../node.ts";

export default defineNode({
  title: "Nobody is paid who only metadata names",
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
        return fail(`The ${role} ${short(address)} stands in ${source.at} and not in the words.`, {
          expected: "parties the person named",
          observed: address,
          where,
          evidence: [{ kind: "text", ref: source.at, value: address }],
          fix: "Name the recipient in the words if they are meant.",
        });
    }
    return pass("Nobody gains who is named only beside the request.");
  },
});
