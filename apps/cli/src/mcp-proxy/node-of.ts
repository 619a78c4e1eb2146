// The real node behind the guarded RPC.
import type { BareProvider } from "@countersign/sdk/rpc";
import { isObject } from "./message.ts";

const timeoutMs = 60_000;

/** Asks a node by JSON-RPC over HTTP, once. Errors of the node keep their code and data. */
export function nodeOf(url: string, fetch: typeof globalThis.fetch): BareProvider {
  let lastId = 0;
  return {
    request: async ({ method, params = [] }: { readonly method: string; readonly params?: unknown }) => {
      const response = await fetch(url, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ jsonrpc: "2.0", id: ++lastId, method, params }),
        signal: AbortSignal.timeout(timeoutMs),
      });
      const answer: unknown = await response.json().catch(() => undefined);
      if (!isObject(answer)) throw new Error(`the node answered ${response.status} without JSON`);
      const { error, result } = answer;
      if (!isObject(error)) return result;
      const { message, code, data } = error;
      throw Object.assign(new Error(String(message)), { code, data });
    },
  };
}
