// Reads the commonest calls from calldata alone, for lists, where there is no report. The report's own reading always wins.
import { fromWei } from "./format.ts";
import { tokenAt, type Token } from "./tokens.ts";

export type Call = { readonly to: string; readonly value: string; readonly data: string };

export type ReadCall =
  | { readonly kind: "pay"; readonly wei: string; readonly to: string }
  | { readonly kind: "send"; readonly amount: string; readonly token: string; readonly to: string }
  | { readonly kind: "allow"; readonly amount: string; readonly token: string; readonly spender: string }
  | { readonly kind: "other"; readonly wei: string; readonly to: string };

const twoWords = /^0x(a9059cbb|095ea7b3)0{24}([0-9a-f]{40})([0-9a-f]{64})$/i;

/** From here on an allowance cannot be used up: more than any supply. */
const unlimited = 2n ** 128n;

function amountOf(units: bigint, token: Token | undefined): string {
  if (units === 0n) return "0";
  if (token === undefined) return "an amount";
  return fromWei(units.toString(), token.decimals);
}

/** Returns the call as a payment, a token transfer, an approval, or something else. */
export function readCall({ to, value, data }: Call, chainId: number): ReadCall {
  if (data === "0x" || data === "") return { kind: "pay", wei: value, to };
  const [, selector, party = "", word = ""] = twoWords.exec(data) ?? [];
  if (selector === undefined || value !== "0") return { kind: "other", wei: value, to };
  const known = tokenAt(chainId, to);
  return tokenCall(selector.toLowerCase(), {
    token: known?.symbol ?? `token ${to}`,
    amount: amountOf(BigInt(`0x${word}`), known),
    isUnlimited: BigInt(`0x${word}`) >= unlimited,
    party: `0x${party}`,
  });
}

type TokenCall = {
  readonly token: string;
  readonly amount: string;
  readonly isUnlimited: boolean;
  readonly party: string;
};

const tokenCall = (selector: string, { token, amount, isUnlimited, party }: TokenCall): ReadCall =>
  selector === "a9059cbb"
    ? { kind: "send", amount, token, to: party }
    : { kind: "allow", amount: isUnlimited ? "any amount" : amount, token, spender: party };

/** An approval of zero takes access away. */
export const givesAccess = (call: ReadCall): boolean => call.kind === "allow" && call.amount !== "0";
