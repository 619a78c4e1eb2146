import type { JSX } from "react";
import { CopyButton } from "../../components/copy-button.tsx";
import { Notice } from "../../components/notice.tsx";

/** Shows a webhook's secret once. */
export function Secret({ value }: { readonly value: string }): JSX.Element {
  return (
    <div className="space-y-3">
      <Notice tone="open" title="Copy the signing secret now">
        Your program verifies our messages with it. You won’t be able to see it again.
      </Notice>
      <div className="flex items-center gap-2 rounded-lg border border-line bg-inset p-3">
        <code className="min-w-0 flex-1 font-mono text-sm wrap-anywhere">{value}</code>
        <CopyButton value={value} label="Copy secret" />
      </div>
    </div>
  );
}
