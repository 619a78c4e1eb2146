import type { TransactionEvent } from "@countersign/sdk";
import { expect, test } from "vitest";
import type { Owner } from "../stage/index.ts";
import { makeStories } from "./stories.ts";

const requestHash = `0x${"11".repeat(32)}` as const;
const told = {
  ...{ kind: "agent" as const, owner: {} as Owner, requestHash },
  call: { to: `0x${"22".repeat(20)}`, value: 1n, data: "0x" } as const,
};

const anEvent = (
  version: number,
  status: TransactionEvent["status"],
  phase: TransactionEvent["phase"],
): TransactionEvent => ({
  ...{ id: `${version}-1`, requestHash, version, status, phase, event: "x", reason: null },
  needsOwner: null,
  at: "2026-11-18T00:00:00.000Z",
});

function begin() {
  const calls: string[] = [];
  const stories = makeStories({
    onReady: () => calls.push("ready"),
    onExecuted: () => calls.push("executed"),
  });
  return { stories, calls };
}

const life = [
  anEvent(1, "PENDING", "RECEIVED"),
  anEvent(2, "APPROVED", "READY"),
  anEvent(3, "APPROVED", "READY"),
  anEvent(4, "EXECUTED", "EXECUTED"),
];

test("follows a proposal to its execution, and sends it once", () => {
  const { stories, calls } = begin();
  stories.add(told, performance.now());
  for (const event of life) stories.take(event);
  expect(calls).toEqual(["ready", "executed"]);
  expect(stories.gaps).toEqual([]);
  expect(stories.told()[0]?.seen).toEqual(["PENDING", "APPROVED", "EXECUTED"]);
  expect(Object.values(stories.progress).map((times) => times.length)).toEqual([1, 1, 1]);
});

test("takes events that are faster than the answer to the proposal", () => {
  const { stories, calls } = begin();
  for (const event of life) stories.take(event);
  expect(calls).toEqual([]);
  stories.add(told, performance.now());
  expect(calls).toEqual(["ready", "executed"]);
  expect(stories.gaps).toEqual([]);
});

test.each([
  ["left out", [0, 2], `${requestHash}: version 3 after 1`],
  ["repeated", [0, 1, 1], `${requestHash}: version 2 after 2`],
])("reports a version that the stream %s", (_, which, gap) => {
  const { stories } = begin();
  stories.add(told, performance.now());
  for (const index of which) {
    const event = life[index];
    if (event !== undefined) stories.take(event);
  }
  expect(stories.gaps).toEqual([gap]);
});
