// Renders whether a released signature was used.
import type { TransactionView } from "@countersign/sdk";
import { plainLine } from "../terminal/plain-text.ts";
import type { Row } from "./layout.ts";

type Outcome = NonNullable<NonNullable<TransactionView["use"]>["outcome"]>;

const outcomes: Readonly<Record<Outcome, string>> = {
  used: "used",
  failed: "used, without effect",
  spent: "its nonce is used, by this one or something else",
  unusable: "not used: its nonce was cancelled, or used by something else",
  expired: "not used, and expired",
};

/** Empty for transactions, and before the release. */
export function useRows({ use }: Pick<TransactionView, "use">): readonly Row[] {
  if (use?.watched === undefined) return [];
  const { outcome, transactionHash, blockNumber, final, watched } = use;
  if (outcome === null) return [["use", watched ? "not seen yet" : "not watched"]];
  const place = blockNumber === null ? "" : ` in block ${plainLine(blockNumber)}`;
  const through = transactionHash === null ? "" : `, transaction ${plainLine(transactionHash)}`;
  return [["use", `${outcomes[outcome]}${place}${through}${final ? "" : " (not final yet)"}`]];
}
