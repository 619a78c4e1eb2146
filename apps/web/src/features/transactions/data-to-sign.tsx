import type { JSX } from "react";

/** Shows the data that would be signed, as text. */
export const DataToSign = ({ children }: { readonly children: string }): JSX.Element => (
  <pre
    tabIndex={0}
    aria-label="Data to sign"
    className="max-h-64 overflow-auto rounded-lg bg-inset p-3 font-mono text-xs whitespace-pre-wrap wrap-anywhere"
  >
    {children}
  </pre>
);
