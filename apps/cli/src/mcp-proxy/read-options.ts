// The options of `countersign mcp-proxy`.
import { usageError } from "../errors.ts";
import { readSpan } from "../render/times.ts";
import { chooseServer, type Tools } from "./server-file.ts";

export type Options = {
  readonly rpcUrl: string;
  readonly mcpUrl?: string;
  readonly server?: string;
  readonly rpcEnv?: readonly string[];
  readonly rpcRedirect?: boolean;
  readonly rpcPort?: string;
  readonly maxFee?: string;
  readonly timeout?: string;
};

export type Chosen = {
  readonly tools: Tools;
  readonly rpcEnv: readonly string[];
  readonly isRedirected: boolean;
  readonly port: { readonly port?: number };
  readonly guard: { readonly timeoutMs?: number; readonly maxFee?: bigint };
};

/** Reads the command line. Throws if the server would not get the guarded RPC. */
export function readOptions(command: readonly string[], options: Options): Chosen {
  const { mcpUrl } = options;
  if ((mcpUrl === undefined) === (command.length === 0))
    throw usageError(
      "mcp-proxy needs the server's command after --, or --mcp-url.",
      "countersign mcp-proxy --help",
    );
  const file = chooseServer(options.server, command);
  const rpcEnv = [...(file.rpcEnv ?? []), ...(options.rpcEnv ?? [])];
  const isRedirected = options.rpcRedirect ?? file.redirect ?? false;
  const isGiven = rpcEnv.length > 0 || isRedirected || command.some((word) => word.includes("{rpc}"));
  if (mcpUrl === undefined ? !isGiven : options.rpcPort === undefined)
    throw usageError(
      "The server must get the proxy's RPC URL: with --rpc-env, {rpc}, --rpc-redirect, or --mcp-url and --rpc-port.",
      "countersign mcp-proxy --help",
    );
  return { ...readLimits(options), ...{ tools: file.tools, rpcEnv, isRedirected } };
}

function readLimits({ maxFee, timeout, rpcPort }: Options): Pick<Chosen, "port" | "guard"> {
  const timeoutMs = timeout === undefined ? undefined : readSpan(timeout);
  if (timeout !== undefined && timeoutMs === undefined)
    throw usageError("--timeout needs a duration: 90s, 10m or 1h.");
  if (maxFee !== undefined && !/^[0-9]{1,30}$/.test(maxFee))
    throw usageError("--max-fee needs a number of wei.");
  if (rpcPort !== undefined && !/^[0-9]{1,5}$/.test(rpcPort)) throw usageError("--rpc-port needs a port.");
  return {
    port: rpcPort === undefined ? {} : { port: Number(rpcPort) },
    guard: {
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
      ...(maxFee === undefined ? {} : { maxFee: BigInt(maxFee) }),
    },
  };
}
