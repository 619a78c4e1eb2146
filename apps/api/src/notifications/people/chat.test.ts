import { expect, test } from "vitest";
import { problemOf } from "../../../../../tools/stand-ins/chat/check.ts";
import { discordBody, slackBody, telegramBody } from "./chat.ts";
import { oneLine, type Notice } from "./notice.ts";

const notice: Notice = {
  id: "msg_1",
  title: "Needs your decision",
  lines: ["Send 250 USDC to 0x742d35Cc6634C0532925a3b844Bc454e4438f44e on Base"],
  agentName: "Treasury bot",
  url: "https://app.example/transactions/0xab?a=1&b=2",
};
const hostile =
  "<!channel> <https://evil.example|Approve> *now* [Approve](https://evil.example) `x` @everyone";

test.each([
  ["slack", slackBody(notice)],
  ["slack", slackBody({ ...notice, agentName: hostile })],
  ["slack", slackBody({ ...notice, agentName: null, lines: [] })],
  ["discord", discordBody(notice)],
  ["discord", discordBody({ ...notice, agentName: hostile })],
  ["discord", discordBody({ ...notice, agentName: null, lines: [] })],
  ["telegram", telegramBody(notice, "-100")],
  ["telegram", telegramBody({ ...notice, agentName: null, lines: [] }, "@chat_of_ours")],
] as const)("writes a body that %s accepts", (service, body) => {
  expect(problemOf(service, "application/json", body)).toBeUndefined();
  expect(body).toContain("Needs your decision");
  expect(body).toContain("https://app.example/transactions/0xab");
});

test("Slack gets the agent's name as plain text only, and no markup outside our own", () => {
  const { blocks, text } = JSON.parse(slackBody({ ...notice, agentName: hostile })) as {
    text: string;
    blocks: { text?: { type: string; text: string }; elements?: { type: string; text: string }[] }[];
  };
  expect(blocks[1]?.elements).toEqual([{ type: "plain_text", text: `Agent: ${hostile}`, emoji: false }]);
  const markup = blocks.flatMap((block) => (block.text?.type === "mrkdwn" ? [block.text.text] : []));
  expect([...markup, text].join("\n")).not.toContain("evil");
  expect(markup.at(-1)).toBe(
    "<https://app.example/transactions/0xab?a=1&amp;b=2|Open it to read more and to decide>",
  );
});

test("Discord gets the agent's name as code that it cannot leave, and mentions no one", () => {
  const body = JSON.parse(discordBody({ ...notice, agentName: hostile })) as {
    allowed_mentions: object;
    embeds: { description: string; fields: { value: string }[] }[];
  };
  expect(body.allowed_mentions).toEqual({ parse: [] });
  expect(body.embeds[0]?.fields[0]?.value).toBe(`\`${hostile.replaceAll("`", "'")}\``);
  expect(body.embeds[0]?.description).not.toContain("evil");
});

test("Telegram marks exactly the title and the agent's name, also after characters outside the BMP", () => {
  const made = { ...notice, title: "Title 🔐", agentName: "🤖 evil.example" };
  const { text, entities } = JSON.parse(telegramBody(made, "1")) as {
    text: string;
    entities: { type: string; offset: number; length: number }[];
  };
  expect(entities.map(({ type, offset, length }) => [type, text.slice(offset, offset + length)])).toEqual([
    ["bold", "Title 🔐"],
    ["code", "🤖 evil.example"],
  ]);
});

test("makes untrusted text one line of visible characters", () => {
  expect(oneLine("a\r\nBcc: x\u202E\u0000  b\u2028c")).toBe("a Bcc: x b c");
  expect(Array.from(oneLine("🤖".repeat(100)))).toHaveLength(60);
});
