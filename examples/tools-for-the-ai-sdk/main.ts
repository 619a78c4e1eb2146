// A model with wallet tools in the AI SDK, in two changed lines: the import and the tools. A manipulated model cannot send
// anything else than the user asked for, because the request is not an argument of a tool.
import assert from "node:assert/strict";
import { createCountersign } from "@countersign/sdk";
import { walletTools } from "@countersign/sdk/ai"; // changed line 1
import { signIn } from "@countersign/sdk/viem";
import { generateText, isStepCount } from "ai";
import { MockLanguageModelV4 } from "ai/test";
import { createTestClient, createWalletClient, http, parseEther, publicActions } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { sepolia } from "viem/chains";

const url = process.env["COUNTERSIGN_URL"] ?? "http://127.0.0.1:3000";
const rpcUrl = process.env["COUNTERSIGN_RPC_URL"] ?? "http://127.0.0.1:18545";
const account = privateKeyToAccount(generatePrivateKey());
const alice = privateKeyToAccount(generatePrivateKey()).address;
const mallory = privateKeyToAccount(generatePrivateKey()).address;
const prompt = `Send 0.01 ETH to ${alice}`; // as the user typed it

// Once: the owner lets this agent execute approved transactions without asking, and gives it a key.
const owner = createCountersign({ url, session: await signIn({ url, wallet: account }) });
await owner.updateSettings({ executionType: 2 });
const { secret } = await owner.keys.create({ name: "my agent" });
const countersign = createCountersign({ url, apiKey: secret });
const chain = createTestClient({ mode: "anvil", transport: http(rpcUrl) }).extend(publicActions);
await chain.setBalance({ address: account.address, value: parseEther("1") });

const wallet = createWalletClient({ account, chain: sepolia, transport: http(rpcUrl) });
const tools = walletTools(wallet, { countersign, words: prompt }); // changed line 2

/** A model that calls send_transaction once, and then ends. Use your provider's model instead. */
function modelThatSends(input: object) {
  const usage = {
    inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 1, text: 1, reasoning: 0 },
  };
  const toolCall = { type: "tool-call", toolCallId: "1", toolName: "send_transaction" } as const;
  return new MockLanguageModelV4({
    doGenerate: [
      {
        content: [{ ...toolCall, input: JSON.stringify(input) }],
        ...{ finishReason: { unified: "tool-calls", raw: undefined }, usage, warnings: [] },
      },
      {
        content: [{ type: "text", text: "Done." }],
        ...{ finishReason: { unified: "stop", raw: undefined }, usage, warnings: [] },
      },
    ],
  });
}

async function run(input: object): Promise<unknown> {
  const { steps } = await generateText({
    model: modelThatSends(input),
    ...{ tools, prompt, stopWhen: isStepCount(3) },
  });
  return steps[0]?.toolResults[0]?.output;
}

const sent = (await run({ to: alice, value: "10000000000000000" })) as { transactionHash: `0x${string}` };
await chain.waitForTransactionReceipt({ hash: sent.transactionHash });
assert.equal(await chain.getBalance({ address: alice }), parseEther("0.01"));
console.log(sent);

const refused = (await run({ to: mallory, value: "10000000000000000" })) as { refused: string };
assert.match(refused.refused, /^Not sent: REJECTED/);
assert.equal(await chain.getBalance({ address: mallory }), 0n);
console.log(refused);
