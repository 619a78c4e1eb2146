import { describe, expect, test } from "vitest";
import { createCountersign } from "./client.ts";
import { ConnectionError, InvalidRequestError } from "./errors.ts";
import type { TransactionEvent } from "./events.ts";
import { aServer, breaksOff, nowhere, says, type Step } from "../test/server.ts";

const eventOf = (version: number): string =>
  `id: 9-${version}\nevent: transaction\ndata: ${JSON.stringify({ requestHash: "0x1", version })}\n\n`;

/** Says these, and then ends, breaks off, or stays. */
const tells =
  (versions: readonly number[], then: "ends" | "breaks" | "stays"): Step =>
  (_received, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(["retry: 1\n\n", ...versions.map(eventOf)].join(""), () => {
      if (then === "ends") response.end();
      if (then === "breaks") response.socket?.resetAndDestroy();
    });
  };

async function take(events: AsyncIterable<TransactionEvent>, many: number): Promise<readonly number[]> {
  const versions: number[] = [];
  for await (const { version } of events) if (versions.push(version) === many) break;
  return versions;
}

describe("events", () => {
  test("go on from the last one, whether the connection ended, broke or was refused for a while", async () => {
    await using server = await aServer(
      tells([1, 2], "ends"),
      tells([3], "breaks"),
      breaksOff,
      says(503, {}),
      says(429, {}, { "retry-after": "0" }),
      tells([4], "stays"),
    );
    const events = createCountersign({ url: server.url, apiKey: "key" }).events();
    expect(await take(events, 4)).toEqual([1, 2, 3, 4]);
    expect(server.received.map(({ headers }) => headers["last-event-id"])).toEqual([
      undefined,
      ...["9-2", "9-3", "9-3", "9-3", "9-3"],
    ]);
    expect(server.received[0]?.headers).toMatchObject({ accept: "text/event-stream", "x-api-key": "key" });
  });

  test("say when the connection stands and when it does not", async () => {
    await using server = await aServer(
      tells([1], "ends"),
      breaksOff,
      tells([2], "breaks"),
      tells([3], "stays"),
    );
    const told: boolean[] = [];
    const onConnection = (isOpen: boolean): void => void told.push(isOpen);
    const events = createCountersign({ url: server.url, apiKey: "key" }).events({ onConnection });
    expect(await take(events, 3)).toEqual([1, 2, 3]);
    expect(told).toEqual([true, false, false, true, false, true]);
  });

  test("are asked for again when nothing is heard any more, though the connection stands", async () => {
    await using server = await aServer(tells([1], "stays"), tells([2], "stays"));
    const events = createCountersign({ url: server.url, apiKey: "key" }).events({ silentMs: 1_500 });
    expect(await take(events, 2)).toEqual([1, 2]);
    expect(server.received[1]?.headers["last-event-id"]).toBe("9-1");
  });

  test("go on from where another run of the program stopped", async () => {
    await using server = await aServer(tells([8], "stays"));
    const events = createCountersign({ url: server.url, apiKey: "key" }).events({ after: "9-7" });
    for await (const event of events) {
      expect(event).toEqual({ id: "9-8", requestHash: "0x1", version: 8 });
      break;
    }
    expect(server.received[0]?.headers["last-event-id"]).toBe("9-7");
  });

  test("end at once, with the reason of whoever aborts", async () => {
    await using server = await aServer(tells([1], "stays"));
    const controller = new AbortController();
    const events = createCountersign({ url: server.url, apiKey: "key" }).events({
      signal: controller.signal,
    });
    const listening = (async () => {
      for await (const { version } of events) if (version === 1) controller.abort(new Error("enough"));
    })();
    await expect(listening).rejects.toThrow("enough");
  });

  test("are an error if they cannot be had in the first place, or never will", async () => {
    const lost = createCountersign({ url: await nowhere(), apiKey: "key" }).events();
    await expect(take(lost, 1)).rejects.toBeInstanceOf(ConnectionError);
    await using server = await aServer(
      tells([1], "ends"),
      says(400, { message: "Last-Event-ID must be an id" }),
    );
    const refused = createCountersign({ url: server.url, apiKey: "key" }).events();
    await expect(take(refused, 2)).rejects.toBeInstanceOf(InvalidRequestError);
  });

  test("are asked for again with a renewed session", async () => {
    const renewed = { accessToken: "a2", refreshToken: "r2" };
    await using server = await aServer(says(401, {}), says(200, renewed), tells([1], "stays"));
    const session = { accessToken: "a1", refreshToken: "r1" };
    expect(await take(createCountersign({ url: server.url, session }).events(), 1)).toEqual([1]);
    expect(server.received.map(({ path, headers }) => [path, headers.authorization])).toEqual([
      ["/events", "Bearer a1"],
      ["/auth/refresh", undefined],
      ["/events", "Bearer a2"],
    ]);
  });
});
