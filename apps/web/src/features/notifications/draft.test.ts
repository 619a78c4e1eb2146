import { describe, expect, test } from "vitest";
import { noFields, problemsOf, trimmed, type Fields } from "./draft.ts";
import type { Kind } from "./names.ts";

const good: readonly (readonly [Kind, Partial<Fields>])[] = [
  ["push", {}],
  ["email", { address: "alice@example.org" }],
  ["slack", { url: "https://hooks.slack.com/services/T0123ABC/B4567DEF/abcdefghijklmnopqrstuvwx" }],
  ["discord", { url: `https://discord.com/api/webhooks/123456789012345678/abc_DEF-${"x".repeat(60)}` }],
  ["telegram", { botToken: `123456789:${"a".repeat(35)}`, chatId: "-1001234567890" }],
  ["webhook", { url: "https://receiver.example/hook?a=1" }],
];

describe("a new channel", () => {
  test.each(good)("accepts a complete form: %s", (kind, fields) => {
    expect(problemsOf(kind, { ...noFields, ...fields })).toEqual({});
  });

  test.each(good.filter(([, fields]) => Object.keys(fields).length > 0))(
    "names each field that is empty: %s",
    (kind, fields) => {
      expect(Object.keys(problemsOf(kind, noFields))).toEqual(Object.keys(fields));
    },
  );

  test.each([
    ["slack", { url: "https://hooks.slack.com.evil.example/services/T0/B0/x" }],
    ["slack", { url: "https://discord.com/api/webhooks/1/a" }],
    ["discord", { url: "https://discord.com/channels/1/2" }],
    ["email", { address: "alice" }],
    ["telegram", { botToken: "123:short", chatId: "@ok_name" }],
    ["webhook", { url: "receiver.example/hook" }],
  ] as const)("rejects what the service would reject: %s %j", (kind, fields) => {
    expect(Object.keys(problemsOf(kind, { ...noFields, ...fields }))).not.toEqual([]);
  });

  test("shows no name of a member of the API", () => {
    for (const [kind] of good)
      for (const sentence of Object.values(problemsOf(kind, noFields)))
        expect(sentence).not.toMatch(/\b(?:url|botToken|chatId|description)\b/);
  });

  test("ignores spaces around a copied value", () => {
    expect(trimmed({ ...noFields, url: " https://a.example \n" }).url).toBe("https://a.example");
  });
});
