import type { TransactionView } from "@countersign/sdk";
import type { JSX } from "react";
import { BulkReject } from "./bulk-reject.tsx";
import { itemOf } from "./inbox-items.ts";

type Props = { readonly transaction: TransactionView; readonly onClose: () => void };

/** The dialog of the inbox for a single transaction. */
export const RejectOne = ({ transaction, onClose }: Props): JSX.Element => (
  <BulkReject items={[itemOf(transaction, String)]} onClose={onClose} />
);
