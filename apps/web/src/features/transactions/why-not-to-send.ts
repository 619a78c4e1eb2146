// Compares a transaction with the signed verdict before it is sent. Apart from the verification, because pages load this only to send.
import type { Hex, TransactionView } from "@countersign/sdk";
import type { SignedVerdict } from "@countersign/sdk/receipt";
import { keccak256 } from "viem/utils";
import type { Checked } from "./verification.ts";

const isSame = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

type Call = NonNullable<TransactionView["tx"]>;

const isCallOf = (verdict: SignedVerdict, { to, value, data }: Call): boolean =>
  "to" in verdict &&
  isSame(verdict.to, to) &&
  verdict.value.toString() === value &&
  isSame(verdict.dataHash, keccak256(data as Hex));

/** Returns why the transaction must not be sent, or undefined if it is the one that the verdict covers. */
export function whyNotToSend(transaction: TransactionView, checked: Checked | undefined): string | undefined {
  const { tx, chainId, escrowAddress, requestHash } = transaction;
  if (tx === null) return "It’s encrypted, so this page can’t send it.";
  if (checked === undefined) return "Checking the signed verdict.";
  if (checked.isValid === undefined) return checked.why;
  if (!checked.isValid) return `The signed verdict isn’t valid. ${checked.problems.join(" ")}`;
  const { verdict, decision } = checked;
  const isAbout =
    isSame(verdict.requestHash, requestHash) &&
    isCallOf(verdict, tx) &&
    verdict.chainId === chainId &&
    isSame(verdict.escrow, escrowAddress);
  if (!isAbout)
    return "The transaction isn’t the one that was checked. Don’t send it. Tell your administrator.";
  return decision === "REJECTED" ? "The signed verdict says Differs, so it can’t be sent." : undefined;
}
