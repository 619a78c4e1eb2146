// The accounts that calls name or pay, and the tokens among them, as the state has them before the calls.
import { createAddressFromString } from "@ethereumjs/util";
import { bytesToHex, decodeAbiParameters, encodeFunctionData, hexToString, parseAbi } from "viem/utils";
import type { Hex } from "@countersign/wire";
import { delegateIn } from "../engine/calls.ts";
import type { Machine } from "../engine/machine.ts";

export type Party = {
  readonly address: Hex;
  readonly hasCode: boolean;
  /** The contract whose code the account runs (EIP-7702). Such an account can still send transactions. */
  readonly delegate: Hex | null;
  /** Whether it has sent a transaction, created a contract, or holds the native token. */
  readonly isUsed: boolean;
};

/** Reads each account, with its code, into the state. */
export async function readParties(
  { state }: Pick<Machine, "state">,
  addresses: readonly Hex[],
): Promise<readonly Party[]> {
  const parties: Party[] = [];
  for (const address of addresses) {
    const where = createAddressFromString(address);
    const { nonce = 0n, balance = 0n } = (await state.getAccount(where)) ?? {};
    const code = bytesToHex(await state.getCode(where));
    parties.push({
      ...{ address, hasCode: code !== "0x", delegate: delegateIn(code) },
      isUsed: nonce > 0n || balance > 0n,
    });
  }
  return parties;
}

const abi = parseAbi(["function symbol() view returns (string)"]);
/** The call for the symbol that a token claims. */
export const symbolCall: Hex = encodeFunctionData({ abi });
/** A longer one is no symbol. */
const longest = 32;

/** Returns the symbol in an answer. Older tokens answer with 32 bytes. */
function symbolIn(answer: Hex | undefined): string | undefined {
  if (answer === undefined) return undefined;
  try {
    const text =
      answer.length === 66
        ? hexToString(answer).replace(/\0+$/, "")
        : decodeAbiParameters([{ type: "string" }], answer)[0];
    return text.length > 0 && text.length <= longest && text.isWellFormed() ? text : undefined;
  } catch {
    return undefined;
  }
}

export type TokenClaim = { readonly token: Hex; readonly symbol: string };

/** Returns the symbols that tokens claim. A token that does not answer is not listed. */
export async function readSymbols(
  { view }: Pick<Machine, "view">,
  tokens: readonly Hex[],
): Promise<readonly TokenClaim[]> {
  const found: TokenClaim[] = [];
  for (const token of tokens) {
    const symbol = symbolIn(await view(token, symbolCall));
    if (symbol !== undefined) found.push({ token, symbol });
  }
  return found;
}
