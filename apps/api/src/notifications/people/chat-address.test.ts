import { expect, test } from "vitest";
import { readChatUrl } from "./chat-address.ts";

const slack = "https://hooks.slack.com/services/T0123/B4567/abcdefghijklmnopqrstuvwx";
const discord = `https://discord.com/api/webhooks/123456789012345678/${"a".repeat(60)}_-Zz`;

test("keeps the path of an incoming webhook, and shows no more than its end", () => {
  expect(readChatUrl("slack", slack)).toEqual({
    target: "hooks.slack.com/…uvwx",
    path: "/services/T0123/B4567/abcdefghijklmnopqrstuvwx",
  });
  expect(readChatUrl("discord", discord)).toMatchObject({ target: "discord.com/…_-Zz" });
  expect(readChatUrl("discord", discord.replace("discord.com/api", "canary.discord.com/api/v10")).path).toBe(
    readChatUrl("discord", discord).path,
  );
});

test.each([
  "http://hooks.slack.com/services/T0123/B4567/abcdefghijklmnop",
  "https://hooks.slack.com.evil.example/services/T0123/B4567/abcdefghijklmnop",
  "https://evil.example/services/T0123/B4567/abcdefghijklmnop",
  "https://hooks.slack.com@evil.example/services/T0123/B4567/abcdefghijklmnop",
  "https://hooks.slack.com:8443/services/T0123/B4567/abcdefghijklmnop",
  "https://hooks.slack.com/services/T0123/B4567/../../../abcdefghijklmnop",
  "https://hooks.slack.com/services/T0123/B4567/abcdefghijklmnop?x=1",
  "https://hooks.slack.com/services/T0123/B4567/abcdefghijklmnop\n",
  "https://hooks.slack.com/workflows/T0123/B4567/abcdefghijklmnop",
  "https://169.254.169.254/services/T0123/B4567/abcdefghijklmnop",
  "https://127.0.0.1/services/T0123/B4567/abcdefghijklmnop",
  discord,
])("refuses another address for Slack: %j", (url) => {
  expect(() => readChatUrl("slack", url)).toThrow("incoming webhook");
});

test.each([
  slack,
  discord.replace("discord.com", "discord.com.evil.example"),
  discord.replace("discord.com", "10.0.0.1"),
  discord.replace("/api/webhooks", "/api/users"),
  discord.replace("https", "http"),
  `${discord}/github`,
])("refuses another address for Discord: %j", (url) => {
  expect(() => readChatUrl("discord", url)).toThrow("incoming webhook");
});
