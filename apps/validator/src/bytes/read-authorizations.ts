/**
 * Reads EIP-7702 tuples. The author of the delegate's code controls the account afterwards; the zero address removes
 * the delegation.
 */
import { everything, type Effect } from "../effects.ts";
import type { Authorization } from "../proposal.ts";
import { makeEffect } from "./make-effect.ts";

const ZERO = /^0x0{40}$/;

export const readAuthorization = (authorization: Authorization): Effect => {
  const { at, chainId, delegate } = authorization;
  const origin = {
    where: at,
    nodes: [],
    prefix: "",
    target: null,
    sender: "self" as const,
    isSelf: () => false,
    isOwnContract: () => false,
    protocol: "eip7702",
    function: "authorization",
    venue: null,
    knowledge: "standard" as const,
  };
  const terms = chainId === 0n ? { anyChain: true } : {};
  const places = { party: "address", chain: "chainId" };
  if (ZERO.test(delegate)) {
    return makeEffect(origin, {
      act: "admin",
      admin: { kind: "revoke_delegation", party: null },
      terms,
      places,
    });
  }
  return makeEffect(origin, {
    act: "admin",
    admin: { kind: "delegate_code", party: delegate },
    authority: { spender: delegate, asset: null, amount: everything, signed: true, at: "address" },
    terms,
    places,
  });
};
