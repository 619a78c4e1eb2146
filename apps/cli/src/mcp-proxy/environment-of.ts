// The environment of a wrapped server: the guarded RPC, and none of our credentials.
import { fileURLToPath } from "node:url";
import type { Env } from "../profiles/settings.ts";

type Given = {
  readonly rpcUrl: string;
  readonly rpcEnv: readonly string[];
  readonly isRedirected: boolean;
};

export function environmentOf(env: Env, { rpcUrl, rpcEnv, isRedirected }: Given): Env {
  const others = Object.entries(env).filter(([name]) => !name.startsWith("COUNTERSIGN_"));
  const urls = rpcEnv.map((name) => [name, rpcUrl] as const);
  return Object.fromEntries([...others, ...urls, ...(isRedirected ? redirection(env, rpcUrl) : [])]);
}

function redirection(env: Env, rpcUrl: string): readonly (readonly [string, string])[] {
  const file = fileURLToPath(new URL("redirect-rpc.mjs", import.meta.url));
  return [
    ["COUNTERSIGN_GUARDED_RPC_URL", rpcUrl],
    ["NODE_OPTIONS", `${env["NODE_OPTIONS"] ?? ""} --import ${JSON.stringify(file)}`.trim()],
  ];
}
