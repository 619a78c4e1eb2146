import type { TransactionView } from "@countersign/sdk";
import { readReport, type ReadReport } from "@countersign/sdk/report";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { identityOf } from "../../lib/identity.ts";
import { receiptQuery, servicesQuery } from "../../lib/transactions.ts";
import { checkReceipt, type Checked } from "./verification.ts";

export type ReceiptState = {
  readonly report: ReadReport | undefined;
  /** The report as it came. */
  readonly raw: unknown;
  readonly checked: Checked | undefined;
  /** The receipt exists but has not loaded yet. */
  readonly isReading: boolean;
  readonly error: unknown;
};

/** Loads and verifies the receipt once there is a verdict. */
export function useReceipt({ requestHash, approvals }: TransactionView): ReceiptState {
  const isJudged = approvals.orion.length > 0;
  const receipt = useQuery({ ...receiptQuery(requestHash), enabled: isJudged });
  const services = useQuery({ ...servicesQuery, enabled: isJudged });
  const checked = useQuery({
    // An unchanged response keeps its identity, so it is not verified again.
    queryKey: ["checked", requestHash, identityOf(receipt.data), identityOf(services.data)],
    queryFn: async () => checkReceipt(receipt.data as never, services.data ?? []),
    enabled: receipt.data !== undefined && services.data !== undefined,
    networkMode: "always",
    staleTime: Infinity,
    gcTime: 0,
  });
  const report = useMemo(() => readReport(receipt.data?.report), [receipt.data]);
  const error = receipt.error ?? services.error;
  return {
    report,
    raw: receipt.data?.report,
    checked: checked.data,
    isReading: isJudged && receipt.data === undefined && error === null,
    error,
  };
}
