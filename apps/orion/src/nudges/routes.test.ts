import { beforeEach, describe, expect, test } from "vitest";
import { systemClock } from "@countersign/platform/clock";
import { restSurface } from "@countersign/platform/errors";
import { makeMetrics, makeService, perIp } from "@countersign/platform/http";
import { makeLog } from "@countersign/platform/log";
import { cidOf } from "@countersign/wire/envelope";
import { aContent, aWord } from "../../test/proposals.ts";
import { makeNudgeAuthenticator, makeWaitingRoom, nudgeRoutes, type WaitingRoom } from "./index.ts";

const token = "a token for nudging";
let started: (string | readonly string[] | object)[];
let room: WaitingRoom;
let lines: string[];
beforeEach(() => {
  [started, lines, room] = [[], [], makeWaitingRoom(systemClock)];
});

type Options = {
  readonly token?: string | undefined;
  readonly isEngineAway?: boolean;
  /** Replaces the endpoint's limit. */
  readonly perMinute?: number;
};

const routes = ({ isEngineAway = false, perMinute }: Options) => {
  const take = async (wanted: string | readonly string[] | object): Promise<void> => {
    if (isEngineAway) throw new Error("away");
    started.push(wanted);
  };
  return nudgeRoutes({ room, start: take, startGroup: take, startRoot: take }).map((given) =>
    perMinute === undefined ? given : { ...given, limit: [perIp(perMinute)] },
  );
};

const aService = (options: Options = { token }) =>
  makeService({
    title: "Test",
    description: "A service for a test.",
    version: "1.0",
    baseUrl: "http://localhost",
    surface: restSurface,
    log: makeLog({ app: "test", level: "debug", to: { write: (line) => void lines.push(line) } }),
    metrics: makeMetrics("test"),
    authenticators: [makeNudgeAuthenticator(options.token)],
    routes: routes(options),
  });

const nudge = (payload: object, authorization = `Bearer ${token}`) => ({
  method: "POST" as const,
  url: "/nudges",
  payload,
  headers: authorization === "" ? {} : { authorization },
});

describe("POST /nudges", () => {
  test("202: starts the verification, however often it comes", async () => {
    const http = await aService();
    const requestHash = aWord();
    for (const payload of [{ requestHash }, { requestHash, cid: cidOf(aWord()) }]) {
      const answer = await http.inject(nudge(payload));
      expect(answer.statusCode).toBe(202);
      expect(answer.json()).toEqual({ requestHash, status: "accepted" });
    }
    expect(started).toEqual([requestHash, requestHash]);
    expect(room.find(requestHash)).toHaveProperty("cid");
  });
  test("202: takes several proposals at once, and starts them as one piece of work", async () => {
    const http = await aService();
    const [one, other] = [aWord(), aWord()];
    const unsealed = aContent({ userPrompt: "Send my canary" });
    const proposals = [{ requestHash: one, unsealed }, { requestHash: other }];
    const answer = await http.inject(nudge({ proposals }));
    expect([answer.statusCode, answer.json()]).toEqual([202, { status: "accepted" }]);
    expect(started).toEqual([[one, other]]);
    expect(room.find(one)?.unsealed).toEqual(unsealed);
    expect(`${answer.body}${lines.join("")}`).not.toContain("canary");
  });
  test("202: takes all proposals of a root", async () => {
    const [root, listDigest] = [aWord(), aWord()];
    const answer = await (await aService()).inject(nudge({ root, list: cidOf(listDigest) }));
    expect([answer.statusCode, answer.json()]).toEqual([202, { status: "accepted" }]);
    expect(started).toEqual([{ root, listDigest }]);
  });
  test("202: keeps an unencrypted proposal in memory, and shows none of it", async () => {
    const http = await aService();
    const requestHash = aWord();
    const unsealed = aContent({ userPrompt: "Send my canary" });
    const answer = await http.inject(nudge({ requestHash, unsealed }));
    expect(answer.statusCode).toBe(202);
    expect(room.find(requestHash)?.unsealed).toEqual(unsealed);
    expect(`${answer.body}${lines.join("")}`).not.toContain("canary");
  });
  test.each([
    ["no hash", {}],
    ["half a hash", { requestHash: "0x12" }],
    ["another kind of CID", { requestHash: aWord(), cid: "Qm123" }],
    ["a malformed content", { requestHash: aWord(), unsealed: { userPrompt: "Send my canary" } }],
    ["an unknown member", { requestHash: aWord(), approve: true }],
    ["no proposals", { proposals: [] }],
    ["one of several that is malformed", { proposals: [{ requestHash: aWord() }, { requestHash: "0x12" }] }],
    ["a root without its list", { root: aWord() }],
    ["a root and a proposal", { root: aWord(), list: cidOf(aWord()), requestHash: aWord() }],
  ])("400: %s", async (_, payload) => {
    const answer = await (await aService()).inject(nudge(payload));
    expect(answer.statusCode).toBe(400);
    expect(started).toEqual([]);
    expect(`${answer.body}${lines.join("")}`).not.toContain("canary");
  });
  test.each([
    ["no token", ""],
    ["another token", "Bearer another token"],
    ["a part of it", `Bearer ${token.slice(0, -1)}`],
    ["another scheme", `Basic ${token}`],
    ["nothing after the scheme", "Bearer "],
  ])("401: %s", async (_, authorization) => {
    const answer = await (await aService()).inject(nudge({ requestHash: aWord() }, authorization));
    expect(answer.statusCode).toBe(401);
    expect(started).toEqual([]);
  });
  test("401: for any credential, if no token is set", async () => {
    const http = await aService({ token: undefined });
    for (const authorization of ["Bearer undefined", "Bearer ", `Bearer ${token}`])
      expect((await http.inject(nudge({ requestHash: aWord() }, authorization))).statusCode).toBe(401);
  });
  test("429: more from one address than a main service sends", async () => {
    expect(routes({}).map(({ limit }) => limit)).toEqual([[perIp(3000)]]);
    const http = await aService({ token, perMinute: 3 });
    for (let count = 0; count < 3; count++)
      expect((await http.inject(nudge({}, ""))).statusCode).not.toBe(429);
    const answer = await http.inject(nudge({ requestHash: aWord() }));
    expect(answer.statusCode).toBe(429);
    expect(answer.headers["retry-after"]).toBeDefined();
  });
  test("503: while the engine is down, with Retry-After", async () => {
    const answer = await (
      await aService({ token, isEngineAway: true })
    ).inject(nudge({ requestHash: aWord() }));
    expect(answer.statusCode).toBe(503);
    expect(answer.headers["retry-after"]).toBe("5");
  });
});
