/** Tokens that are sent to a token contract are lost, and an address that was never used may be a mistake. The state shows both. */
import { asAddress, defineNode, fail, pass, short } from "../../node.ts";
import type { Address, Effect, Where } from "../../facts.ts";

type Paid = { readonly to: Address; readonly where: Where };

/** Plain payments. A call that was measured keeps its payment, or it would not have been matched. */
const paidBy = ({
  act,
  payer,
  receiver,
  gives,
  toChain,
  knowledge,
  places,
  where,
}: Effect): readonly Paid[] => {
  const to = asAddress(receiver);
  const isPlain = act === "transfer" && payer === "self" && toChain === null && knowledge !== "measured";
  return isPlain && to !== null && gives.length > 0 ? [{ to, where: places["receiver"] ?? where }] : [];
};

export default defineNode({
  title: "Recipient can use the payment",
  failTitle: "Recipient may not use it",
  severity: "high",
  needs: ["proposal", "moves", "simulation", "wordsAddresses"],
  check({ proposal: { context }, moves, simulation: { tokens, parties }, wordsAddresses }) {
    const paid = moves.flatMap(paidBy);
    const token = paid.find(({ to }) => tokens.includes(to));
    if (token !== undefined)
      return fail(
        `The recipient ${short(token.to)} is itself a token contract. Funds sent there would be lost.`,
        {
          expected: "an account that can send the assets again",
          observed: "a contract that answers for balances of a token",
          where: token.where,
          fix: "Send to the intended account, or call the contract’s own function.",
        },
      );
    const expected = new Set([
      ...wordsAddresses.map(({ address }) => address),
      ...context.known.map(({ address }) => address),
      ...context.counterparties,
    ]);
    const isFresh = ({ to }: Paid): boolean =>
      !expected.has(to) &&
      parties.some(({ address, hasCode, isUsed }) => address === to && !hasCode && !isUsed);
    const fresh = paid.find(isFresh);
    if (fresh !== undefined)
      return fail(
        `The recipient ${short(fresh.to)} was never used, and the request does not have its address.`,
        {
          expected: "an account that was used before, or whose address is in the request",
          observed: "no transaction, no balance and no code",
          where: fresh.where,
          severity: "low",
          fix: "Put the recipient’s address in the request.",
        },
      );
    const contracts = parties.filter(
      ({ address, hasCode, delegate }) =>
        hasCode && delegate === null && paid.some(({ to }) => to === address),
    );
    return pass(
      "No payment goes to a token contract, or to an unused address that the request does not have.",
      {
        confidence: 0.95,
        evidence: contracts.map(({ address }) => ({ kind: "contract", ref: address, value: "has code" })),
      },
    );
  },
});
