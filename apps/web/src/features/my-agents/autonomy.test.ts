import type { Agent, Mandate } from "@countersign/sdk";
import { expect, test } from "vitest";
import { autonomyOf } from "./autonomy.ts";

const agent = { agent: "key:1", status: "ACTIVE", createdAt: "2026-11-10T00:00:00Z" } as Agent;
const mandate = (changes: Partial<Mandate> = {}, left = "5"): Mandate =>
  ({
    ...{ agent: "key:1", status: "ACTIVE", createdAt: "2026-11-12T00:00:00Z" },
    limits: [{ measure: "count", span: "total", seconds: 0, most: "5", left }],
    ...changes,
  }) as Mandate;

type Case = {
  readonly says: string;
  readonly one?: Agent;
  readonly mandates?: readonly Mandate[];
  readonly type?: 0 | 1 | 2;
  readonly word: string;
};

const others = mandate({ agent: "key:2" });

test.each<Case>([
  { says: "asks if the owner approves everything", mandates: [mandate()], type: 1, word: "Asks you" },
  { says: "pays within a mandate", mandates: [mandate()], word: "Pays on its own" },
  { says: "has reached its limit", mandates: [mandate({}, "0")], word: "Limit reached" },
  { says: "asks once its mandate has ended", mandates: [mandate({ status: "REVOKED" })], word: "Asks you" },
  { says: "asks before its mandate begins", mandates: [mandate({ status: "SCHEDULED" })], word: "Asks you" },
  { says: "is older than the first mandate", mandates: [others], word: "Pays without a limit" },
  {
    says: "is newer than the first mandate",
    mandates: [{ ...others, createdAt: "2026-11-01T00:00:00Z" }],
    word: "Asks you",
  },
  { says: "has no mandate at all", word: "Pays without a limit" },
  { says: "is approved, and the owner sends", type: 0, word: "You send" },
  { says: "is paused", one: { ...agent, status: "PAUSED" }, mandates: [mandate()], word: "Paused" },
  { says: "is removed", one: { ...agent, status: "REVOKED" }, mandates: [mandate()], word: "Removed" },
  { says: "has expired", one: { ...agent, status: "EXPIRED" }, word: "Expired" },
])("says that the agent $says", ({ one = agent, mandates = [], type = 2, word }) => {
  expect(autonomyOf(one, { mandates, executionType: type }).word).toBe(word);
});
