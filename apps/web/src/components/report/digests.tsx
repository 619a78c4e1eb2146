import { useMemo, type JSX } from "react";
import { chainName } from "../../lib/chains.ts";
import { Facts, type Fact } from "../facts.tsx";
import { Hex } from "../hex.tsx";
import { digestsOf } from "./digests.ts";
import type { ProposedTx } from "./does.tsx";
import { coinAmount } from "./plain-words.ts";

type Props = { readonly tx: ProposedTx; readonly chainId: number };

/** What a hardware wallet shows on its own screen: if one of them differs there, something else is being signed. */
export function Digests({ tx, chainId }: Props): JSX.Element {
  const digests = useMemo(() => digestsOf(tx.data), [tx.data]);
  const facts: readonly Fact[] = [
    [
      "To",
      tx.to === null ? (
        "Nobody: it creates a contract"
      ) : (
        <Hex key="to" value={tx.to} label="recipient" full />
      ),
    ],
    ["Value", coinAmount(tx.value, chainId)],
    ["Chain", `${chainName(chainId)} (${chainId})`],
    ...(digests === undefined
      ? [["Data", "Is no bytes"] as const]
      : tx.data === "0x"
        ? [["Data", "None"] as const]
        : ([
            [
              "Hash of the data (keccak-256)",
              <Hex key="plain" value={digests.plain} label="hash of the data" full />,
            ],
            [
              "Calldata digest (ERC-8213)",
              <Hex key="length" value={digests.withLength} label="calldata digest" full />,
            ],
          ] as const)),
  ];
  return (
    <div className="space-y-3">
      <p className="text-sm text-soft">
        If your wallet shows something else on its own screen, do not sign there: something between this page
        and the wallet has changed it.
      </p>
      <Facts facts={facts} />
    </div>
  );
}
