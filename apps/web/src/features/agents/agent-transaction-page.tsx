import { NotFoundError } from "@countersign/sdk";
import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import type { JSX } from "react";
import { Card } from "../../components/card.tsx";
import { Facts } from "../../components/facts.tsx";
import { Hex } from "../../components/hex.tsx";
import { Loading } from "../../components/loading.tsx";
import { Notice, ProblemNotice } from "../../components/notice.tsx";
import { Page } from "../../components/page.tsx";
import { Text } from "../../components/text.tsx";
import { OnChain } from "../../components/on-chain.tsx";
import { Time } from "../../components/time.tsx";
import { isAddress, isHash, shortHex } from "../../lib/format.ts";
import { chainName } from "../../lib/chains.ts";
import { transactionQuery } from "./read-agent.ts";
import { StatusBadge, VerdictBadge } from "./badges.tsx";

function Detail({
  address,
  requestHash,
}: {
  readonly address: string;
  readonly requestHash: string;
}): JSX.Element {
  const { data, error } = useQuery(transactionQuery(address, requestHash));
  if (data === undefined) {
    if (error instanceof NotFoundError)
      return <Notice tone="none">This agent has no transaction with this ID.</Notice>;
    return error === null ? <Loading what="the transaction" /> : <ProblemNotice error={error} />;
  }
  return (
    <Card title="Public details">
      <Facts
        facts={[
          ["Verdict", <VerdictBadge key="verdict" decision={data.decision} />],
          ["Status", <StatusBadge key="status" status={data.status} />],
          ["Chain", chainName(data.chainId)],
          [
            "Protocol",
            data.protocol === null ? "Unknown" : <Text>{data.protocol.replaceAll("_", " ")}</Text>,
          ],
          ["Proposal ID", <Hex key="hash" value={data.requestHash} label="proposal ID" />],
          [
            "Transaction",
            data.executionHash === null ? (
              "Not executed"
            ) : (
              <OnChain key="executed" hash={data.executionHash} chainId={data.chainId} />
            ),
          ],
          ["Proposed", <Time key="proposed" at={data.createdAt} />],
          ["Last change", <Time key="changed" at={data.updatedAt} />],
        ]}
      />
    </Card>
  );
}

export function AgentTransactionPage(): JSX.Element {
  const { address, requestHash } = useParams({ from: "/agents/$address/transactions/$requestHash" });
  if (!isAddress(address) || !isHash(requestHash))
    return <Page title="Transaction not found" lead="The link may be incomplete or out of date." />;
  return (
    <Page
      title={`Transaction ${shortHex(requestHash)}`}
      lead={
        <>
          Agent{" "}
          <Link to="/agents/$address" params={{ address }} className="text-accent underline">
            {shortHex(address)}
          </Link>
        </>
      }
    >
      <Detail address={address} requestHash={requestHash} />
    </Page>
  );
}
