import { readReport } from "@countersign/sdk/report";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { JSX } from "react";
import { Notice } from "../../components/notice.tsx";
import { VerdictLine } from "../../components/report/verdict-line.tsx";
import { api } from "../../lib/api.ts";

const chainId = 1;
const asked = "Send 500 USDC to 0x742d35Cc6634C0532925a3b844Bc454e4438f44e";

/** transfer(0x3f5CE5…36f0bE, 25,000 USDC): another recipient and another amount than the request names. */
const tx = {
  to: "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48",
  value: "0",
  data: [
    "0xa9059cbb",
    "0000000000000000000000003f5ce5fbfe3e9af3971dd833d26ba9b5c936f0be",
    "00000000000000000000000000000000000000000000000000000005d21dba00",
  ].join(""),
};

/** Checks an example when the page opens. The result comes from the validator, not from the page. */
export function LiveCheck(): JSX.Element {
  const { data, isPending, isError } = useQuery({
    queryKey: ["live-check"],
    staleTime: Infinity,
    retry: false,
    queryFn: async ({ signal }) =>
      (
        await api.request<unknown>("/public/validate", {
          ...{ method: "POST", body: { intent: asked, tx, chainId }, isOneTime: true, signal },
        })
      ).body,
  });
  if (isError)
    return (
      <Notice tone="none" title="The live check isn’t available right now">
        You can{" "}
        <Link to="/try" className="font-semibold text-accent underline">
          try one yourself
        </Link>
        .
      </Notice>
    );
  return (
    <div className="space-y-2">
      <VerdictLine
        report={isPending ? undefined : readReport(data)}
        value={tx.value}
        chainId={chainId}
        isAwaited={isPending}
        asked={
          <div className="grid gap-x-6 gap-y-1 border-t border-line p-4 sm:grid-cols-[5.5rem_1fr] sm:px-6">
            <p className="text-sm font-semibold text-soft sm:pt-1">You asked</p>
            <p className="text-lg wrap-anywhere">“Send 500 USDC to 0x742d35…38f44e”</p>
          </div>
        }
      />
      <p className="text-xs text-soft">Checked live, when you opened this page.</p>
    </div>
  );
}
