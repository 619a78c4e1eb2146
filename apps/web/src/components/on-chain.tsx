import type { JSX } from "react";
import { explorerOf } from "../lib/chains.ts";
import { Hex } from "./hex.tsx";

/** A transaction hash with a link to an explorer. */
export function OnChain({ chainId, hash }: { readonly chainId: number; readonly hash: string }): JSX.Element {
  const explorer = explorerOf(chainId);
  return (
    <>
      <Hex value={hash} label="transaction hash" />
      {explorer === undefined ? null : (
        <a
          href={`${explorer}/tx/${hash}`}
          rel="noreferrer"
          target="_blank"
          className="ml-2 text-accent underline underline-offset-4"
        >
          View in explorer
        </a>
      )}
    </>
  );
}
