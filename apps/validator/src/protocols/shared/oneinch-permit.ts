/** A permit that 1inch's router presents before it does something else. Its bytes are packed; their length says how. */
import { everything, exactly, token, type Amount } from "../../effects.ts";
import type { Address, Hex } from "../../proposal.ts";
import { fn, type ProtocolFunction } from "../../protocol.ts";

const TOKEN_DIGITS = 2 + 40;

/** By the length in bytes of what follows the token: where the amount stands in it, in hex digits. */
const AMOUNT_AT: Readonly<Record<number, readonly [number, number]>> = {
  // Amount, date, signature.
  100: [0, 64],
  // The token's own permit in full: owner, spender, amount.
  224: [128, 192],
  // Permit2, packed: 160 bits of amount come first.
  96: [0, 40],
  // Permit2 in full: owner, token, amount.
  352: [128, 192],
};

const amountIn = (packed: string): Amount => {
  const at = AMOUNT_AT[packed.length / 2];
  return at === undefined ? everything : exactly(BigInt(`0x${packed.slice(...at)}`));
};

const permitted = (permit: Hex): { readonly token: Address; readonly amount: Amount } => {
  if (permit.length < TOKEN_DIGITS) throw new Error("the permit names no token");
  return {
    token: permit.slice(0, TOKEN_DIGITS).toLowerCase() as Address,
    amount: amountIn(permit.slice(TOKEN_DIGITS)),
  };
};

export const permitAndCall: ProtocolFunction = fn(
  "function permitAndCall(bytes permit, bytes action) payable",
  ["router_v6"],
  ([permit, action], call) => {
    const { token: asset, amount } = permitted(permit);
    return {
      effects: [
        {
          act: "approve",
          authority: {
            spender: call.to,
            asset: token(asset),
            amount,
            until: null,
            signed: true,
            at: "permit",
          },
          places: { spender: "permit", amount: "permit" },
        },
      ],
      calls: [
        { to: call.to, value: call.value, data: action, sender: call.sender, program: true, at: "action" },
      ],
    };
  },
);
