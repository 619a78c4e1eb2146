/**
 * People compare the first and last digits of an address, so attackers create addresses that share them. By chance,
 * three digits at either end match one of a thousand known addresses in 6 of 100,000 cases.
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

/** Returns whether one address could be mistaken for the other. Leading zeros are common, so they do not count. */
function looksLike(one: Address, other: Address): boolean {
  if (one === other) return false;
  const [a, b] = [one.slice(2), other.slice(2)];
  const start = a.startsWith("000") ? 0 : sharedStart(a, b);
  const end = sharedEnd(a, b);
  return (start >= 3 && end >= 3) || (start + end >= 7 && Math.min(start, end) >= 1) || differing(a, b) <= 2;
}

export default defineNode({
  title: "No look-alike address is paid",
  failTitle: "Look-alike address",
  severity: "critical",
  needs: ["proposal", "beneficiaries", "wordsAddresses", "contracts"],
  check({ proposal: { context, actor }, beneficiaries, wordsAddresses, contracts }) {
    const labelled = new Set([...context.known.map(({ address }) => address), ...context.names.values()]);
    const said = new Set(wordsAddresses.map(({ address }) => address));
    const met = new Set(context.counterparties);
    const familiar = [...labelled, ...met, ...said, ...(actor === null ? [] : [actor])];
    for (const { address, role, where } of beneficiaries) {
      // The owner named it and has paid it before, or has it in the address book: no mistake.
      if (labelled.has(address) || (met.has(address) && said.has(address))) continue;
      const twin = familiar.find((known) => looksLike(address, known)) ?? contracts.like(address);
      if (twin !== null)
        return fail(
          `The ${role} ${address} looks like ${twin}, which is known, but it is a different address.`,
          {
            expected: twin,
            observed: address,
            where,
            fix: `Compare every digit. If you mean ${twin}, use it instead of ${address}.`,
          },
        );
    }
    return pass("No party that receives value looks like another known address.");
  },
});
