// The tools in the real frameworks, with a model that calls them as a script says.
import type { ToolMessage } from "@langchain/core/messages";
import { generateText, isStepCount } from "ai";
import { MockLanguageModelV4 } from "ai/test";
import { describe, expect, test } from "vitest";
import { payee, writtenPayment } from "../../test/payment.ts";
import {
  account,
  recordingNode,
  requestHash,
  scripted,
  transactionHash,
  type Script,
} from "../../test/viem/scripted.ts";
import { walletTools as aiTools } from "../ai/index.ts";
import type { GuardOptions } from "../guard/guard-options.ts";
import { walletTools as langchainTools } from "../langchain/index.ts";
import type { ToolWallet } from "./wallet-tools.ts";

const words = `Send 0.01 ETH to ${payee}`;
const send = { to: payee, value: "10000000000000000" };

type Call = (wallet: ToolWallet, options: GuardOptions, name: string, input: object) => Promise<unknown>;

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};

/** A model that calls one tool, and then ends. */
const callWithAi: Call = async (wallet, options, name, input) => {
  const model = new MockLanguageModelV4({
    doGenerate: [
      {
        content: [{ type: "tool-call", toolCallId: "1", toolName: name, input: JSON.stringify(input) }],
        ...{ finishReason: { unified: "tool-calls", raw: undefined }, usage, warnings: [] },
      },
      {
        content: [{ type: "text", text: "done" }],
        ...{ finishReason: { unified: "stop", raw: undefined }, usage, warnings: [] },
      },
    ],
  });
  const tools = aiTools(wallet, options);
  const { steps } = await generateText({ model, tools, prompt: "Pay Bob", stopWhen: isStepCount(3) });
  const [part] = steps[0]?.content.filter(({ type }) => /^tool-(result|error)$/.test(type)) ?? [];
  if (part?.type === "tool-error") throw part.error;
  return part?.type === "tool-result" ? (part.output as unknown) : undefined;
};

const callWithLangChain: Call = async (wallet, options, name, input) => {
  const found = langchainTools(wallet, options).find((tool) => tool.name === name);
  const message = (await found?.invoke({ type: "tool_call", id: "1", name, args: input })) as ToolMessage;
  return JSON.parse(message.text) as unknown;
};

describe.each([
  ["the AI SDK", callWithAi],
  ["LangChain", callWithLangChain],
])("%s", (_, call) => {
  const make = (script: Script = {}) => {
    const node = recordingNode();
    const { countersign, proposals, releases } = scripted(script);
    const options = { countersign, words, onReview: () => undefined };
    const use = (name: string, input: object) => call(node.wallet(), options, name, input);
    return { node, proposals, releases, use };
  };

  test("sends an approved transaction with the host's request", async () => {
    const { use, node, proposals } = make();
    expect(await use("send_transaction", send)).toEqual({ transactionHash });
    expect(proposals).toMatchObject([{ userPrompt: words, tx: { to: payee, value: 10n ** 16n } }]);
    expect(node.sent()).toHaveLength(1);
  });

  test("signs approved typed data", async () => {
    const { use, releases } = make();
    const result = await use("sign_typed_data", { typedData: JSON.stringify(writtenPayment) });
    expect(result).toEqual({ signature: expect.stringMatching(/^0x[0-9a-f]{130}$/) as string });
    expect(releases).toHaveLength(1);
  });

  test("returns a refusal as a result, and does nothing", async () => {
    const { use, node, releases } = make({ decide: () => ({ status: "REJECTED", reason: "because" }) });
    expect(await use("send_transaction", send)).toEqual({
      refused: "Not sent: REJECTED. because",
      requestHash,
    });
    expect(await use("sign_typed_data", { typedData: JSON.stringify(writtenPayment) })).toEqual({
      ...{ refused: "Not signed: REJECTED. because", requestHash },
    });
    expect([node.sent(), releases]).toEqual([[], []]);
  });

  test.each([
    ["send_transaction", { ...send, value: "0.01" }, /not a number of wei/],
    ["send_transaction", { ...send, value: "-1" }, /not a number of wei/],
    ["send_transaction", { value: "1" }, /no recipient/],
    ["send_transaction", { ...send, data: "0x0" }, /not valid hex/],
    ["send_transaction", { ...send, userPrompt: "Send everything" }, /userPrompt cannot be approved/],
    ["send_transaction", { ...send, authorizationList: [] }, /authorizationList cannot be approved/],
    ["sign_typed_data", { typedData: "{" }, /not JSON/],
  ])("%s refuses %o before it is proposed", async (name, input, why) => {
    const { use, node, proposals } = make();
    const result = await use(name, input).catch((error: unknown) => ({ refused: String(error) }));
    // A framework may refuse arguments that are not in the schema before it calls the tool.
    expect((result as { refused: string }).refused).toMatch(new RegExp(`${why.source}|schema`));
    expect([node.sent(), proposals]).toEqual([[], []]);
  });
});

test("a model has no other tools, and none takes the request as an argument", () => {
  const { countersign } = scripted();
  const wallet = recordingNode().wallet(account);
  const names = ["send_transaction", "sign_typed_data"];
  expect(Object.keys(aiTools(wallet, { countersign, words })).sort()).toEqual(names);
  const tools = langchainTools(wallet, { countersign, words });
  expect(tools.map(({ name }) => name).sort()).toEqual(names);
  expect(JSON.stringify(tools.map(({ schema }) => schema))).not.toMatch(/prompt|words|request/i);
});
