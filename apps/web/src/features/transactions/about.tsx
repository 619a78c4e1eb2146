import type { TransactionView } from "@countersign/sdk";
import type { JSX } from "react";
import { Facts, type Fact } from "../../components/facts.tsx";
import { Fold } from "../../components/fold.tsx";
import { Hex } from "../../components/hex.tsx";
import { OnChain } from "../../components/on-chain.tsx";
import { Time } from "../../components/time.tsx";
import { chainName } from "../../lib/chains.ts";
import { Expiry } from "./expiry.tsx";
import { placeOf } from "./use-words.ts";

const sentBy = ({ executor, execution }: TransactionView): string =>
  executor === "service"
    ? "this service, through your custodian"
    : execution === 2
      ? "the agent’s wallet"
      : "your wallet";

export function About({ transaction }: { readonly transaction: TransactionView }): JSX.Element {
  const { requestHash, escrowAddress, chainId, createdAt, expiresAt, transactionHash, use } = transaction;
  const place = use === null ? undefined : placeOf(use);
  const usedIn = use?.transactionHash ?? null;
  const facts: readonly Fact[] = [
    ["Proposal ID", <Hex key="request" value={requestHash} label="proposal ID" />],
    ["From", <Hex key="from" value={escrowAddress} label="wallet address" />],
    ["Chain", `${chainName(chainId)} (${chainId})`],
    ["Sent by", sentBy(transaction)],
    ["Proposed", <Time key="proposed" at={createdAt} />],
    ...(expiresAt === null ? [] : ([["Expires", <Expiry key="expires" at={expiresAt} />]] as const)),
    ...(transactionHash === null
      ? []
      : ([["Transaction", <OnChain key="chain" chainId={chainId} hash={transactionHash} />]] as const)),
    ...(usedIn === null
      ? []
      : ([["Used in", <OnChain key="use" chainId={chainId} hash={usedIn} />]] as const)),
    ...(place === undefined ? [] : ([["Seen in", place]] as const)),
  ];
  return (
    <Fold title="Details" summary="IDs, addresses and times">
      <Facts facts={facts} />
    </Fold>
  );
}
