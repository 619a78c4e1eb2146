import type { TransactionView } from "@countersign/sdk";
import type { ReadReport } from "@countersign/sdk/report";
import type { JSX } from "react";
import { AuthorizationCard } from "./authorization-card.tsx";
import { BatchCard } from "./batch-card.tsx";
import { MessageCard } from "./message-card.tsx";
import { OperationCard } from "./operation-card.tsx";
import { SafeCard } from "./safe-card.tsx";
import { SignatureCard } from "./signature-card.tsx";

type Props = { readonly transaction: TransactionView; readonly report: ReadReport | undefined };

/** Shows a proposal that is not a single transaction, by its shape. */
export function PayloadCard(props: Props): JSX.Element | null {
  const { typedData, calls, safeTransaction, message, authorizationList, userOperation } = props.transaction;
  if (typedData !== null) return <SignatureCard {...props} typedData={typedData} />;
  if (safeTransaction !== null) return <SafeCard {...props} safeTransaction={safeTransaction} />;
  if (message !== null) return <MessageCard {...props} message={message} />;
  const [authorization] = authorizationList ?? [];
  if (authorization !== undefined) return <AuthorizationCard {...props} authorization={authorization} />;
  if (userOperation !== null) return <OperationCard {...props} userOperation={userOperation} />;
  const { signingHash, chainId } = props.transaction;
  return calls === null ? null : <BatchCard batch={calls} signingHash={signingHash} chainId={chainId} />;
}
