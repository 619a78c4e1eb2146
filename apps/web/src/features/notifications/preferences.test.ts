import { describe, expect, test } from "vitest";
import { messageTypes } from "./names.ts";
import { changeOf, choiceOf, problemOfChoice } from "./preferences.ts";
import type { Receiver } from "./receivers.ts";

const channel: Receiver = {
  ...{ id: "1", kind: "slack", target: "…wxyz", confirmed: true, description: "ops", active: true },
  events: ["transaction.needs_decision"],
  agents: [],
  disabledReason: null,
  health: {
    ...{ status: "HEALTHY", failures: 0, failingSince: null, lastDeliveredAt: null, lastFailedAt: null },
    ...{ lastError: null, pending: 0, nextAttemptAt: null },
  },
  createdAt: "2026-11-18T00:00:00.000Z",
  rhythm: { quietHours: null, timeZone: "UTC", digest: null },
};
const webhook: Receiver = { ...channel, kind: "webhook", events: [], rhythm: undefined };

describe("the preferences of a channel", () => {
  test("keeps everything that the owner does not change", () => {
    const quiet: Receiver = {
      ...channel,
      agents: ["key:1"],
      rhythm: { quietHours: { from: "23:00", until: "06:30" }, timeZone: "Asia/Tokyo", digest: "daily" },
    };
    expect(changeOf(choiceOf(quiet, "Europe/Zurich"), quiet)).toEqual({
      ...{ description: "ops", events: quiet.events, agents: ["key:1"], digest: "daily" },
      ...{ quietHours: { from: "23:00", until: "06:30" }, timeZone: "Asia/Tokyo" },
    });
  });
  test("shows an empty list as everything, and saves everything as an empty list", () => {
    const choice = choiceOf(webhook, "UTC");
    expect([choice.events, choice.agents]).toEqual([messageTypes, undefined]);
    expect(changeOf(choice, webhook)).toEqual({ description: "ops", events: [], agents: [] });
  });
  test("offers the browser's time zone until the owner has chosen one", () => {
    expect(choiceOf(channel, "Europe/Zurich").timeZone).toBe("Europe/Zurich");
  });
  test("ends quiet hours and the digest", () => {
    const choice = { ...choiceOf(channel, "UTC"), isQuiet: false, digest: "none" } as const;
    expect(changeOf(choice, channel)).toMatchObject({ quietHours: null, digest: null });
  });
  test.each([
    [{ events: [] }, /at least one kind/],
    [{ agents: [] }, /at least one agent/],
    [{ isQuiet: true, from: "", until: "07:00" }, /begin and end/],
    [{ isQuiet: true, from: "07:00", until: "07:00" }, /another time/],
  ] as const)("refuses %j", (changed, problem) => {
    expect(problemOfChoice({ ...choiceOf(channel, "UTC"), ...changed })).toMatch(problem);
  });
});
