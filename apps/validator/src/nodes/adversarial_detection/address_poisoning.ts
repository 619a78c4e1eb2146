/**
 * People compare the ends of addresses, so attackers make addresses with the right ends. By chance, three digits at either end
 * agree with one of a thousand known addresses six times in a hundred thousand.
 */
import { defineNode, fail, pass } from "../../node.ts";
import type { Address } from "../../facts.ts";

function sharedStart(a: string, b: string): number {
  let n = 0;
  while (n < a.length && a[n] === b[n]) n += 1;
  return n;
}

function sharedEnd(a: string, b: string): number {
  let n = 0;
  while (n < a.length && a[a.length - 1 - n] === b[b.length - 1 - n]) n += 1;
  return n;
}

const differing = (a: string, b: string): number => {
  let n = 0;
  for (let at = 0; at < a.length; at += 1) if (a[at] !== b[at]) n += 1;
  return n;
};

/** Whether one could be taken for the other. Zeros at the start are common, so they count for nothing. */
function looksLike(one: Address, other: Address): boolean {
  if (one === other) return false;
  const [a, b] = [one.slice(2), other.slice(2)];
  const start = a.startsWith("000") ? 0 : sharedStart(a, b);
  const end = sharedEnd(a, b);
  return (start >= 3 && end >= 3) || (start + end >= 7 && Math.min(start, end) >= 1) || differing(a, b) <= 2;
}

export default defineNode({
  title: "Nobody is paid who only looks familiar",
  severity: "critical",
  needs: ["proposal", "beneficiaries", "wordsAddresses", "contracts"],
  check({ proposal: { context, actor }, beneficiaries, wordsAddresses, contracts }) {
    const labelled = new Set([...context.known.map(({ address }) => address), ...context.names.values()]);
    const said = new Set(wordsAddresses.map(({ address }) => address));
    const met = new Set(context.counterparties);
    const familiar = [...labelled, ...met, ...said, ...(actor === null ? [] : [actor])];
    for (const { address, role, where } of beneficiaries) {
      // Named by the person and dealt with before, or in their own address book: that one is meant.
      if (labelled.has(address) || (met.has(address) && said.has(address))) continue;
      const twin = familiar.find((known) => looksLike(address, known)) ?? contracts.like(address);
      if (twin !== null)
        return fail(`The ${role} ${address} looks like ${twin}, which is known, and is not it.`, {
          expected: twin,
          observed: address,
          where,
          fix: `Compare every digit. If ${twin} was meant, put it in place of ${address}.`,
        });
    }
    return pass("Nobody who gains looks like a known address without being it.");
  },
});
