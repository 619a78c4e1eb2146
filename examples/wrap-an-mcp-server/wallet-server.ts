// An MCP server that knows nothing of Countersign: it holds a key, and sends what it is asked to send.
import { fromJsonSchema, McpServer } from "@modelcontextprotocol/server";
import { StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import { createWalletClient, http, parseEther, publicActions, type Hex } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { sepolia } from "viem/chains";

const account = privateKeyToAccount(process.env["PRIVATE_KEY"] as Hex);
const transport = http(process.env["RPC_URL"]);
const wallet = createWalletClient({ account, chain: sepolia, transport }).extend(publicActions);
const server = new McpServer({ name: "wallet", version: "1.0.0" });
const text = (said: string) => ({ content: [{ type: "text" as const, text: said }] });

server.registerTool("get_balance", { description: "The wallet's balance in wei." }, async () =>
  text(String(await wallet.getBalance(account))),
);

type Payment = { readonly to: Hex; readonly ether: string };
const inputSchema = fromJsonSchema<Payment>({
  type: "object",
  properties: { to: { type: "string" }, ether: { type: "string" } },
  required: ["to", "ether"],
});
server.registerTool("send_ether", { description: "Sends ether.", inputSchema }, async ({ to, ether }) =>
  text(await wallet.sendTransaction({ to, value: parseEther(ether) })),
);

server.registerTool("export_key", { description: "Shows the private key." }, async () =>
  text(String(process.env["PRIVATE_KEY"])),
);

await server.connect(new StdioServerTransport());
