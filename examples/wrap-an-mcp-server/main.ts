// An MCP server with a wallet, protected by its host's configuration alone: the host starts `countersign mcp-proxy` in front of it.
import assert from "node:assert/strict";
import { join } from "node:path";
import { createCountersign } from "@countersign/sdk";
import { signIn } from "@countersign/sdk/viem";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { createTestClient, http, parseEther, publicActions } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { sepolia } from "viem/chains";

const url = process.env["COUNTERSIGN_URL"] ?? "http://127.0.0.1:3000";
const rpcUrl = process.env["COUNTERSIGN_RPC_URL"] ?? "http://127.0.0.1:18545";
const key = generatePrivateKey();
const account = privateKeyToAccount(key);
const alice = privateKeyToAccount(generatePrivateKey()).address;
const mallory = privateKeyToAccount(generatePrivateKey()).address;
const words = `Send 0.01 ETH to ${alice}`; // as the user typed it

// Once: the owner lets this agent execute approved transactions without asking, and gives it a key.
const owner = createCountersign({ url, session: await signIn({ url, wallet: account }) });
await owner.updateSettings({ executionType: 2 });
const { secret } = await owner.keys.create({ name: "my agent" });
const chain = createTestClient({ chain: sepolia, mode: "anvil", transport: http(rpcUrl) }).extend(
  publicActions,
);
await chain.setBalance({ address: account.address, value: parseEther("1") });

// The host's configuration. Without the proxy it would be: command node, args wallet-server.ts.
const here = import.meta.dirname;
const countersign = join(here, "../../apps/cli/bin/countersign.js"); // once it is published: npx countersign
const proxy = [countersign, "mcp-proxy", "--rpc-url", rpcUrl, "--server", join(here, "server.json"), "--"];
const transport = new StdioClientTransport({
  command: process.execPath,
  args: [...proxy, process.execPath, join(here, "wallet-server.ts")],
  env: { COUNTERSIGN_URL: url, COUNTERSIGN_API_KEY: secret, PRIVATE_KEY: key },
});
const host = new Client({ name: "host", version: "1.0.0" });
await host.connect(transport);

/** As a host calls a tool that its model chose. */
async function call(name: string, given: Record<string, unknown> = {}): Promise<string> {
  const { content } = await host.callTool({ name, arguments: given }, { timeout: 120_000 });
  return (content as readonly { readonly text: string }[]).map(({ text }) => text).join("\n");
}

// The model sees what it may use. The tool that sends now asks for the user's request.
const { tools } = await host.listTools();
assert.deepEqual(
  tools.map(({ name }) => name),
  ["get_balance", "send_ether"],
);
assert.deepEqual(tools[1]?.inputSchema.required, ["to", "ether", "userPrompt"]);
assert.equal(await call("get_balance"), parseEther("1").toString());

// The requested payment is proposed, verified and sent by the server itself.
const sent = await call("send_ether", { to: alice, ether: "0.01", userPrompt: words });
assert.match(sent, /^0x[0-9a-f]{64}$/);
await chain.waitForTransactionReceipt({ hash: sent as `0x${string}` });
assert.equal(await chain.getBalance({ address: alice }), parseEther("0.01"));
console.log("sent", sent);

// Nothing else is.
const nonce = await chain.getTransactionCount({ address: account.address });
const attempts: Record<string, () => Promise<string>> = {
  "another recipient": () => call("send_ether", { to: mallory, ether: "0.01", userPrompt: words }),
  "another amount": () => call("send_ether", { to: alice, ether: "0.1", userPrompt: words }),
  "no request": () => call("send_ether", { to: alice, ether: "0.01" }),
  "the key": () => call("export_key"),
};
for (const [name, attempt] of Object.entries(attempts)) {
  const said = await attempt();
  assert.match(said, /^Nothing was (sent|done)\./);
  assert.ok(!said.includes(key.slice(2)));
  console.log("blocked:", name);
}
assert.equal(await chain.getTransactionCount({ address: account.address }), nonce);
await host.close();
