import { useMemo, type JSX } from "react";
import { chainName } from "../../lib/chains.ts";
import { Facts, type Fact } from "../facts.tsx";
import { Hex } from "../hex.tsx";
import { digestsOf } from "./digests.ts";
import type { ProposedTx } from "./does.tsx";
import { coinAmount } from "./plain-words.ts";

type Props = { readonly tx: ProposedTx; readonly chainId: number };

/** The values that a hardware wallet shows. If one differs there, the wallet is signing something else. */
export function Digests({ tx, chainId }: Props): JSX.Element {
  const digests = useMemo(() => digestsOf(tx.data), [tx.data]);
  const facts: readonly Fact[] = [
    ["To", tx.to === null ? "New contract" : <Hex key="to" value={tx.to} label="recipient" full />],
    ["Value", coinAmount(tx.value, chainId)],
    ["Chain", `${chainName(chainId)} (${chainId})`],
    ...(digests === undefined
      ? [["Data", "Not valid hex"] as const]
      : tx.data === "0x"
        ? [["Data", "None"] as const]
        : ([
            ["Data hash (keccak-256)", <Hex key="plain" value={digests.plain} label="data hash" full />],
            [
              "Calldata digest (ERC-8213)",
              <Hex key="length" value={digests.withLength} label="calldata digest" full />,
            ],
          ] as const)),
  ];
  return (
    <div className="space-y-3">
      <p className="text-sm text-soft">
        If your wallet’s screen shows anything else, don’t sign. Something changed it on the way.
      </p>
      <Facts facts={facts} />
    </div>
  );
}
