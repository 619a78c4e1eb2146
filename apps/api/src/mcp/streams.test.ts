import { Readable } from "node:stream";
import { expect, test } from "vitest";
import { makeLog } from "@countersign/platform/log";
import { waitUntil } from "@countersign/tools/testing";
import type { Principal } from "./principal.ts";
import type { Watched } from "./store.ts";
import { makeStreams } from "./streams.ts";

const log = makeLog({ app: "api", level: "silent" });
const byKey = { caller: { scheme: "apiKey", keyId: "k" } } as Principal;
const byToken = { caller: { scheme: "oauth", grantId: "g" } } as Principal;

function aReader(): Readable {
  const stream = new Readable({ read: () => undefined });
  stream.resume();
  return stream;
}
const idsOf = (watched: readonly Watched[]): ReadonlySet<string> =>
  new Set(watched.map(({ streamId }) => streamId));
const untilOver = (stream: Readable): Promise<unknown> => waitUntil("it is over", () => stream.readableEnded);
const everMs = 3_600_000;

test("checks all open streams in one query, each with its session, grant and key", async () => {
  const questions: (readonly Watched[])[] = [];
  const findLiveStreams = async (watched: readonly Watched[]) => (questions.push(watched), idsOf(watched));
  const streams = makeStreams({ store: { findLiveStreams }, log, everyMs: 10 });
  for (let number = 0; number < 50; number++) {
    const sessionId = number % 2 === 0 ? `s${number}` : null;
    const principal = number % 2 === 0 ? byKey : byToken;
    streams.add(aReader(), { streamId: `${number}`, sessionId, principal });
  }
  await waitUntil("it is asked", () => questions.some((watched) => watched.length === 50));
  const asked = questions
    .find((watched) => watched.length === 50)
    ?.map(({ sessionId, grantId, keyId }) => ({ sessionId, grantId, keyId }));
  expect(asked?.slice(0, 2)).toEqual([
    { sessionId: "s0", grantId: null, keyId: "k" },
    { sessionId: null, grantId: "g", keyId: null },
  ]);
  await streams.close();
});

test("ends the streams that may not stay; those that opened during the check stay", async () => {
  const { promise, resolve } = Promise.withResolvers<ReadonlySet<string>>();
  const streams = makeStreams({ store: { findLiveStreams: () => promise }, log, everyMs: everMs });
  const [gone, come] = [aReader(), aReader()];
  streams.add(gone, { streamId: "1", sessionId: null, principal: byKey });
  streams.add(come, { streamId: "2", sessionId: null, principal: byKey });
  resolve(new Set());
  await untilOver(gone);
  expect(come.readableEnded).toBe(false);
  await streams.close();
});

test("keeps all streams open while the database does not answer", async () => {
  let asked = 0;
  const findLiveStreams = async () => {
    asked++;
    throw new Error("the record is away");
  };
  const streams = makeStreams({ store: { findLiveStreams }, log, everyMs: 5 });
  const stream = aReader();
  streams.add(stream, { streamId: "1", sessionId: "s", principal: byKey });
  await waitUntil("it was asked again", () => asked > 3);
  expect(stream.readableEnded).toBe(false);
  await streams.close();
  await untilOver(stream);
});

test("sends no query while no stream is open", async () => {
  let asked = 0;
  const findLiveStreams = async (watched: readonly Watched[]) => (asked++, idsOf(watched));
  const streams = makeStreams({ store: { findLiveStreams }, log, everyMs: 5 });
  const stream = aReader();
  streams.add(stream, { streamId: "1", sessionId: "s", principal: byKey });
  await waitUntil("it is asked", () => asked > 1);
  stream.destroy();
  await new Promise((done) => setTimeout(done, 20));
  const before = asked;
  await new Promise((done) => setTimeout(done, 50));
  expect(asked).toBe(before);
});

test("keeps the newest stream of a session, whichever was ready first, and leaves other sessions' alone", async () => {
  const findLiveStreams = async (watched: readonly Watched[]) => idsOf(watched);
  const streams = makeStreams({ store: { findLiveStreams }, log, everyMs: everMs });
  const [first, third, second, other] = [aReader(), aReader(), aReader(), aReader()];
  const ofSession = { sessionId: "s", principal: byKey };
  streams.add(other, { streamId: "0", sessionId: "t", principal: byKey });
  streams.add(first, { streamId: "1", ...ofSession });
  streams.add(third, { streamId: "3", ...ofSession });
  streams.add(second, { streamId: "2", ...ofSession });
  await untilOver(first);
  await untilOver(second);
  expect([third.readableEnded, other.readableEnded]).toEqual([false, false]);
  streams.endOfSession("s");
  await untilOver(third);
  streams.endOfSession("s");
  expect(other.readableEnded).toBe(false);
  await streams.close();
});
