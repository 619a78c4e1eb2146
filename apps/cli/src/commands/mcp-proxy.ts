import type { Command } from "commander";
import type { Context } from "../context.ts";
import { CliError } from "../errors.ts";
import { exitCodes } from "../exit-codes.ts";
import { connectServer } from "../mcp-proxy/connect-server.ts";
import { environmentOf } from "../mcp-proxy/environment-of.ts";
import { guardMessages, type Proxy } from "../mcp-proxy/guard-messages.ts";
import type { Message } from "../mcp-proxy/message.ts";
import { nodeOf } from "../mcp-proxy/node-of.ts";
import { openRpc, type Rpc } from "../mcp-proxy/open-rpc.ts";
import type { Pipe, PipeEvents } from "../mcp-proxy/pipe.ts";
import { readMessages } from "../mcp-proxy/read-lines.ts";
import { readOptions, type Chosen, type Options } from "../mcp-proxy/read-options.ts";
import { startServer } from "../mcp-proxy/start-server.ts";
import { plainLine, plainText } from "../terminal/plain-text.ts";

const help = `
The server gets an RPC URL of the proxy. A transaction that it sends is proposed
with the request of the call that is in progress, and reaches --rpc-url only if
exactly that is approved.

Give the server the URL in one of these ways:
  --rpc-env NAME     an environment variable that holds the URL of its node
  {rpc}              in the command, replaced with the URL
  --rpc-redirect     for Node programs with fixed URLs that use fetch
  --rpc-port NUMBER  with --mcp-url: the server's own settings name
                     http://127.0.0.1:NUMBER/

Examples:
  countersign mcp-proxy --rpc-url https://… -- npx -y @sei-js/mcp-server
  countersign mcp-proxy --rpc-url https://… --server tools.json --rpc-env RPC_URL -- node wallet.js
  countersign mcp-proxy --rpc-url https://… --rpc-port 8546 --mcp-url http://127.0.0.1:3001/mcp`;

export function addMcpProxy(program: Command, context: Context): void {
  const collect = (name: string, names: readonly string[] = []): readonly string[] => [...names, name];
  program
    .command("mcp-proxy")
    .description("wrap an MCP server, so that what it sends is verified first")
    .argument("[command...]", "the server's command, after --")
    .requiredOption("--rpc-url <url>", "the node that approved transactions are sent to")
    .option("--mcp-url <url>", "a server over streamable HTTP, in place of a command")
    .option("--server <name>", "a known server, or a JSON file that lists its tools")
    .option("--rpc-env <name>", "environment variable for the server's node; repeatable", collect)
    .option("--rpc-redirect", "redirect what the server sends to nodes with fetch")
    .option("--rpc-port <number>", "port of the proxy's RPC (default: any)")
    .option("--max-fee <wei>", "highest fee of a transaction (default: 100000000000000000)")
    .option("--timeout <span>", "longest wait for an approval: 90s, 10m, 1h")
    .addHelpText("after", help)
    .action(async (command: readonly string[], options: Options) => {
      await wrap(context, command, options);
    });
}

async function wrap(context: Context, command: readonly string[], options: Options): Promise<void> {
  const { output, fetch, signal } = context;
  const chosen = readOptions(command, options);
  const countersign = await context.client();
  const log = (text: string): void => {
    output.notice(plainText(text));
  };
  const ended = Promise.withResolvers<string>();
  let pipe: Pipe | undefined;
  const proxy: Proxy = guardMessages(
    chosen.tools,
    { ...chosen.guard, countersign, node: nodeOf(options.rpcUrl, fetch) },
    {
      toHost: (message) => {
        output.raw(JSON.stringify(message));
      },
      toServer: (message) => {
        pipe?.send(message).catch((error: unknown) => {
          proxy.fromServer(unreachable(message, error));
        });
      },
      notice: log,
    },
  );
  const rpc = await openRpc({ ...chosen.port, request: proxy.request });
  const events: PipeEvents = { onMessage: proxy.fromServer, onEnd: ended.resolve };
  signal.addEventListener("abort", () => {
    ended.resolve("");
  });
  try {
    pipe = await open(context, { command, options, rpc, events, chosen });
    const host = readMessages(context.stdin, proxy.fromHost, (line) => {
      log(`not a message: ${line}`);
    }).then(() => "");
    const why = await Promise.race([host, ended.promise]);
    if (why !== "")
      throw new CliError(plainLine(`The server is gone: ${why}.`), {
        ...{ code: "server_ended", exitCode: exitCodes.unexpected },
      });
    signal.throwIfAborted();
  } finally {
    proxy.end();
    await pipe?.close();
    await rpc.close();
  }
}

const unreachable = ({ id = null }: Message, error: unknown): Message => ({
  ...{ jsonrpc: "2.0", id },
  error: { code: -32_000, message: `The server cannot be reached: ${String(error)}` },
});

type Opening = {
  readonly command: readonly string[];
  readonly options: Options;
  readonly rpc: Rpc;
  readonly events: PipeEvents;
  readonly chosen: Chosen;
};

async function open(context: Context, { command, options, rpc, events, chosen }: Opening): Promise<Pipe> {
  const { output, fetch, env } = context;
  if (options.mcpUrl !== undefined) return connectServer(options.mcpUrl, fetch, events);
  return startServer(
    {
      command: command.map((word) => word.replaceAll("{rpc}", rpc.url)),
      env: environmentOf(env, { ...chosen, rpcUrl: rpc.url }),
      onLog: (text) => {
        output.notice(plainText(text.trimEnd()));
      },
    },
    events,
  );
}
