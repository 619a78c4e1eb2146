import { expect, test } from "vitest";
import { codeLetter, letterOf } from "./mail.ts";
import type { Notice } from "./notice.ts";

const notice: Notice = {
  id: "msg_1",
  title: "Needs your decision",
  lines: ["Send 250 USDC to 0x742d35Cc6634C0532925a3b844Bc454e4438f44e on Base"],
  agentName: "Treasury bot",
  url: "https://app.example/transactions/0xab?a=1&b=2",
};

test("has the outcome and the effect in the subject, and the page in both parts", () => {
  const { subject, text, html } = letterOf(notice);
  expect(subject).toBe(`Needs your decision: ${notice.lines[0] ?? ""}`);
  expect(text).toContain(notice.url);
  expect(html).toContain('href="https://app.example/transactions/0xab?a=1&amp;b=2"');
  expect([text, html].every((part) => part.includes("“Treasury bot”"))).toBe(true);
});

test("makes no markup of an agent's name, and keeps it out of the subject", () => {
  const agentName = `<img src=x onerror=alert(1)> "quoted" & <a href='https://evil.example'>Approve</a>`;
  const { subject, html } = letterOf({ ...notice, agentName });
  expect(subject).not.toContain("evil");
  expect(html).not.toMatch(/<img|<a href='/);
  expect(html).toContain("&lt;img src=x onerror=alert(1)&gt; &quot;quoted&quot; &amp; &lt;a href=&#39;");
  expect([...html.matchAll(/<a /g)]).toHaveLength(1);
});

test("escapes a page address that would end its attribute", () => {
  const { html } = letterOf({ ...notice, url: 'https://app.example/"><script>alert(1)</script>' });
  expect(html).not.toContain("<script>");
});

test("a code's mail has the code, and no link and no text of the account", () => {
  const { text, html } = codeLetter("01234567");
  expect(text).toContain("01234567");
  expect(html).toContain("01234567");
  expect(`${text}${html}`).not.toMatch(/href|https?:/);
});
