import type { TransactionView } from "@countersign/sdk";
import { readReport, type ReadReport } from "@countersign/sdk/report";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { identityOf } from "../../lib/identity.ts";
import { receiptQuery, servicesQuery } from "../../lib/transactions.ts";
import { checkReceipt, type Checked } from "./verification.ts";

export type ReceiptState = {
  readonly report: ReadReport | undefined;
  readonly checked: Checked | undefined;
  /** There is one, and it has not come yet. */
  readonly isReading: boolean;
  readonly error: unknown;
};

/** The receipt of a verdict, read and checked. Nothing of it before there is a verdict. */
export function useReceipt({ requestHash, approvals }: TransactionView): ReceiptState {
  const isJudged = approvals.orion.length > 0;
  const receipt = useQuery({ ...receiptQuery(requestHash), enabled: isJudged });
  const services = useQuery({ ...servicesQuery, enabled: isJudged });
  const checked = useQuery({
    // What is read again and says the same is the same object, and is not checked again.
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
    checked: checked.data,
    isReading: isJudged && receipt.data === undefined && error === null,
    error,
  };
}
