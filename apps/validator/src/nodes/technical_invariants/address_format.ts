/** Funds sent to a malformed address, the zero address or a precompile are lost. */
import { asAddress, defineNode, fail, judgeDefects } from "../../node.ts";
import type { Address, Effect, Where } from "../../facts.ts";

/** Zero has no owner; 1 to 0x11 are precompiles. */
const lastPrecompile = 0x11n;

type Party = { readonly address: Address; readonly role: string; readonly where: Where };

const partiesOf = ({ act, receiver, places, where, authority }: Effect): readonly Party[] => {
  const paid = asAddress(receiver);
  const spender = act === "revoke" ? null : asAddress(authority?.spender ?? null);
  return [
    ...(paid === null ? [] : [{ address: paid, role: "recipient", where: places["receiver"] ?? where }]),
    ...(spender === null ? [] : [{ address: spender, role: "spender", where: authority?.where ?? where }]),
  ];
};

export default defineNode({
  title: "Addresses are valid",
  failTitle: "Invalid address",
  severity: "critical",
  needs: ["proposal", "reading", "wordsAddresses"],
  required: true,
  check({ proposal, reading, wordsAddresses }) {
    const found = judgeDefects(proposal.defects, {
      check: "address_format",
      ok: "Every address is valid.",
      fix: "Send addresses as 0x and 40 hex digits.",
    });
    if (found.status !== "PASS") return found;
    const asked = new Set(wordsAddresses.map(({ address }) => address));
    const nobody = reading.effects
      .flatMap(partiesOf)
      .find(({ address }) => BigInt(address) <= lastPrecompile && !asked.has(address));
    if (nobody === undefined) return found;
    return fail(`The ${nobody.role} is ${nobody.address}. No one controls it, so funds would be lost.`, {
      expected: `a ${nobody.role} that someone controls`,
      observed: nobody.address,
      where: nobody.where,
      fix: `Set the intended ${nobody.role} at ${nobody.where.call} ${nobody.where.field}.`,
    });
  },
});
