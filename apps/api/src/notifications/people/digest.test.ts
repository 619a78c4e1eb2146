import { expect, test } from "vitest";
import { problemOf } from "../../../../../tools/stand-ins/chat/check.ts";
import type { TransactionType } from "../catalogue.ts";
import { discordBody, slackBody, telegramBody } from "./chat.ts";
import { mergeNotices, type About } from "./digest.ts";

const uiUrl = "https://app.example";
const about = (type: TransactionType, title: string, line = "Send 1 ETH"): About => ({
  type,
  notice: { id: "msg_own", title, lines: [line], agentName: "Bot", url: `${uiUrl}/transactions/0x1` },
});
const merge = (...all: readonly About[]) => mergeNotices(all, { id: "msg_first", uiUrl });

test("one transaction keeps its own notice, under the id of the first message", () => {
  const only = about("transaction.executed", "Executed");
  expect(merge(only)).toEqual({ ...only.notice, id: "msg_first" });
});

test("names the most important one first, and links to the inbox", () => {
  const notice = merge(
    about("transaction.executed", "Executed"),
    about("transaction.needs_decision", "Needs your decision"),
    about("transaction.alert", "Security alert"),
  );
  expect(notice).toEqual({
    ...{ id: "msg_first", title: "Security alert, and 2 more", agentName: null, url: uiUrl },
    lines: ["Security alert: Send 1 ETH", "Needs your decision: Send 1 ETH", "Executed: Send 1 ETH"],
  });
});

test("counts transactions if none is more important", () => {
  const executed = about("transaction.executed", "Executed");
  expect(merge(executed, executed).title).toBe("2 transactions changed");
});

test("stays within what each service accepts, however many and however long", () => {
  const long = about("transaction.expired", "Expired", `Send ${"9".repeat(300)} ETH`);
  const notice = merge(...Array.from({ length: 50 }, () => long));
  expect(notice.lines).toHaveLength(13);
  expect(notice.lines.at(-1)).toBe("and 38 more");
  for (const [service, body] of [
    ["slack", slackBody(notice)],
    ["discord", discordBody(notice)],
    ["telegram", telegramBody(notice, "1")],
  ] as const)
    expect(problemOf(service, "application/json", body)).toBeUndefined();
});
