import { describe, expect, test } from "vitest";
import { createCountersign } from "./client.ts";
import { CountersignError, NotFoundError, WaitTimeoutError } from "./errors.ts";
import { aScript, aTransaction, type Script } from "../test/script.ts";
import { aServer, breaksOff, says, type Handler, type Server } from "../test/server.ts";
import type { Verdict } from "./types.ts";

const verdict = { decision: "APPROVED", analysis: "It does." } as Verdict;
const judged = aTransaction({ phase: "AWAITING", approvals: { user: [], orion: [verdict], apiKey: [] } });
const life = [aTransaction(), aTransaction({ phase: "PINNED" }), judged] as const;

const clientOf = ({ url }: Server) => createCountersign({ url, apiKey: "key" });

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 5));
}
/** Each poll that is held back is let go of as soon as it is there. */
async function tell(script: Script, times: number): Promise<void> {
  for (let poll = 2; poll < 2 + times; poll++) {
    await until(
      () => script.polls().filter(({ headers }) => headers["prefer"] !== undefined).length >= poll - 1,
    );
    script.advance();
  }
}

describe("waitForVerdict", () => {
  test("is told by a held answer, and says what changes on the way", async () => {
    const script = aScript(life);
    await using server = await aServer(script.step);
    const phases: string[] = [];
    const waiting = clientOf(server).waitForVerdict("0xhash", {
      onProgress: ({ phase }) => phases.push(phase),
    });
    await tell(script, 2);
    expect(await waiting).toEqual(verdict);
    expect(phases).toEqual(["RECEIVED", "PINNED", "AWAITING"]);
    expect(script.polls().map(({ headers }) => [headers["prefer"], headers["if-none-match"]])).toEqual([
      [undefined, undefined],
      ["wait=25", '"records-0"'],
      ["wait=25", '"records-1"'],
    ]);
  });

  test("returns at once what is there already", async () => {
    await using server = await aServer(aScript([judged]).step);
    expect(await clientOf(server).waitForVerdict("0xhash")).toEqual(verdict);
    expect(server.received).toHaveLength(2);
  });

  test("says so if nobody will judge it any more", async () => {
    const gone = aTransaction({ status: "REJECTED", phase: "REJECTED", reason: "WITHDRAWN" });
    await using server = await aServer(aScript([gone]).step);
    await expect(clientOf(server).waitForVerdict("0xhash")).rejects.toThrow(
      new CountersignError("0xhash is REJECTED (WITHDRAWN), and nobody judged it"),
    );
  });

  test.each([
    ["that nothing is new", { holds: false }],
    ["without naming a state", { holds: false, hasEtag: false }],
  ])("asks less and less often, where it is answered at once %s", async (_name, manner) => {
    const script = aScript(life, manner);
    await using server = await aServer(script.step);
    const waiting = clientOf(server).waitForVerdict("0xhash");
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    // Without a pause there would be hundreds.
    expect(script.polls().length).toBeLessThan(9);
    script.advance();
    script.advance();
    expect(await waiting).toEqual(verdict);
  });

  test("comes again when it is asked to, where nothing is held back", async () => {
    const script = aScript(life, { holds: false, headers: { "retry-after": "1" } });
    await using server = await aServer(script.step);
    const times: number[] = [];
    const waiting = clientOf(server).waitForVerdict("0xhash");
    for (let seen = 2; seen <= 3; seen++) {
      await until(() => script.polls().length >= seen);
      times.push(performance.now());
    }
    script.advance();
    script.advance();
    await waiting;
    expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThan(900);
  });

  test("outlasts a service that goes away and comes back", async () => {
    const script = aScript(life);
    let isAway = false;
    const step: Handler = (received, response) => (isAway ? breaksOff : script.step)(received, response);
    await using server = await aServer(step);
    const countersign = createCountersign({ url: server.url, apiKey: "key", retries: 0 });
    const waiting = countersign.waitForVerdict("0xhash");
    await until(() => script.polls().length === 2);
    isAway = true;
    script.advance();
    const before = server.received.length;
    await until(() => server.received.length >= before + 2);
    isAway = false;
    await until(() => script.polls().length >= 3);
    script.advance();
    expect(await waiting).toEqual(verdict);
  });

  test("does not wait for what is not there", async () => {
    await using server = await aServer(says(404, { message: "Transaction not found" }));
    await expect(clientOf(server).waitForVerdict("0xhash")).rejects.toBeInstanceOf(NotFoundError);
  });

  test("gives up when its time is over, with what it last saw", async () => {
    await using server = await aServer(aScript(life).step);
    const error: unknown = await clientOf(server)
      .waitForVerdict("0xhash", { timeoutMs: 1_500 })
      .catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(WaitTimeoutError);
    expect(error).toMatchObject({
      message: "0xhash is still RECEIVED after 1.5 s",
      transaction: { phase: "RECEIVED" },
    });
  });

  test("stops at once, in the middle, when it is told to", async () => {
    const script = aScript(life);
    await using server = await aServer(script.step);
    const controller = new AbortController();
    const waiting = clientOf(server).waitForVerdict("0xhash", { signal: controller.signal });
    const caught = waiting.catch((error: unknown) => error);
    await until(() => script.polls().length === 2);
    controller.abort(new Error("enough"));
    expect(await caught).toMatchObject({ message: "enough" });
  });
});

describe("waitForStatus", () => {
  test("returns what it waits for", async () => {
    const approved = aTransaction({ status: "APPROVED", phase: "READY" });
    const script = aScript([judged, approved]);
    await using server = await aServer(script.step);
    const waiting = clientOf(server).waitForStatus("0xhash", ["APPROVED"]);
    await tell(script, 1);
    expect((await waiting).phase).toBe("READY");
  });

  test("and what it never leaves, though it is something else", async () => {
    const failed = aTransaction({ status: "FAILED", phase: "FAILED", reason: "EXPIRED" });
    await using server = await aServer(aScript([failed]).step);
    expect((await clientOf(server).waitForStatus("0xhash", ["EXECUTED"])).status).toBe("FAILED");
  });
});
