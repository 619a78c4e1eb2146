import type { Issue } from "@countersign/sdk/report";
import type { JSX } from "react";
import { Digests } from "./digests.tsx";
import type { ProposedTx } from "./does.tsx";
import type { Range } from "./flags.ts";
import { RawBytes } from "./raw-bytes.tsx";

type Props = {
  readonly tx: ProposedTx;
  readonly chainId: number;
  readonly flags: readonly Issue[];
  readonly ranges: readonly Range[];
};

/** The values that a hardware wallet shows, and the raw data. */
export function TransactionData({ tx, chainId, flags, ranges }: Props): JSX.Element {
  return (
    <div className="space-y-3">
      <Digests tx={tx} chainId={chainId} />
      <RawBytes data={tx.data} flags={flags} ranges={ranges} />
    </div>
  );
}
