// Parses the bytes that would be signed, accepting only the canonical encoding.
import { keccak256, parseTransaction, serializeTransaction } from "viem/utils";
import type { SendingTerms } from "../../../adapters/chain/index.ts";
import type { Call, Hex } from "../../transaction.ts";
import type { Question } from "./question.ts";

export type RawCall = Call & { readonly chainId: number; readonly nonce: number };

/** The call, and the gas and fees that the custodian chose for it. */
export type Read = { readonly call: RawCall; readonly terms: SendingTerms } | { readonly why: string };

const unread = (why: string): Read => ({ why });

/** Excludes blobs and authorizations, which would delegate the wallet to code. */
const plainTypes: readonly string[] = ["legacy", "eip2930", "eip1559"];

export function readRawTransaction({ rawTx }: Pick<Question, "rawTx">): Read {
  const [entry, ...more] = rawTx ?? [];
  if (entry === undefined) return unread("send the raw transaction");
  if (more.length > 0) return unread("more than one transaction would be signed");
  const raw = bytesIn(entry.rawTx);
  if (raw === undefined) return unread("the raw transaction is not in hexadecimal");
  const told = entry.payload ?? "";
  if (told !== "" && bytesIn(told) !== keccak256(raw))
    return unread("payload differs from the hash of the raw transaction");
  const parsed = parse(raw);
  return parsed === undefined ? unread("the raw transaction cannot be read") : readCall(parsed);
}

const bytesIn = (text: string): Hex | undefined => {
  const digits = text.replace(/^0x/i, "").toLowerCase();
  return /^(?:[0-9a-f]{2})+$/.test(digits) ? `0x${digits}` : undefined;
};

type Parsed = ReturnType<typeof parseTransaction>;

/** Accepted only if it serializes to the same bytes: nothing is left over, and nothing was guessed. */
function parse(raw: Hex): Parsed | undefined {
  try {
    const parsed = parseTransaction(raw);
    return serializeTransaction(parsed) === raw ? parsed : undefined;
  } catch {
    return undefined;
  }
}

function readCall(parsed: Parsed): Read {
  if (!plainTypes.includes(parsed.type ?? "")) return unread("transactions of this type are not signed");
  if ("r" in parsed || "s" in parsed) return unread("the raw transaction is already signed");
  const { chainId, nonce = 0, to, value = 0n, data = "0x" } = parsed;
  if (chainId === undefined) return unread("the raw transaction names no chain");
  if (to === undefined || to === null) return unread("the raw transaction has no recipient");
  return {
    call: { chainId, nonce, to: to.toLowerCase() as Hex, value, data: data.toLowerCase() as Hex },
    terms: readTerms(parsed),
  };
}

function readTerms(parsed: Parsed): SendingTerms {
  const { gas = 0n, gasPrice = 0n, accessList = [] } = parsed;
  const { maxFeePerGas = gasPrice, maxPriorityFeePerGas = gasPrice } = parsed;
  return { gas, maxFeePerGas, maxPriorityFeePerGas, accessList };
}
