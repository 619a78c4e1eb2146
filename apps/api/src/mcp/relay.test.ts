import type { Readable } from "node:stream";
import { describe, expect, test } from "vitest";
import { Problem } from "@countersign/platform/errors";
import { endStream, pushTo } from "../events/index.ts";
import { relay } from "./relay.ts";

const events = { "content-type": "text/event-stream", connection: "keep-alive", "cache-control": "no-cache" };
const aTick = (): Promise<unknown> => new Promise((resolve) => setImmediate(resolve));

/** A stream as the SDK writes one, and whether it still has a reader. */
function aStream() {
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  let isCancelled = false;
  const body = new ReadableStream<Uint8Array>({
    start: (given) => {
      controller = given;
    },
    cancel: () => {
      isCancelled = true;
    },
  });
  return {
    response: new Response(body, { headers: events }),
    write: (text: string) => controller?.enqueue(new TextEncoder().encode(text)),
    close: () => controller?.close(),
    fail: () => controller?.error(new Error("it broke")),
    isCancelled: () => isCancelled,
  };
}

async function relayed(
  response: Response,
): Promise<{ readonly stream: Readable; readonly text: () => string }> {
  const { body } = await relay(response);
  if (typeof body === "string") return expect.fail();
  let text = "";
  body.on("data", (chunk: Buffer) => (text += chunk.toString())).on("error", () => undefined);
  return { stream: body, text: () => text };
}

describe("a stream", () => {
  test("is forwarded as it comes, with pushed messages in between, in order", async () => {
    const { response, write, close } = aStream();
    const { stream, text } = await relayed(response);
    write("a");
    await aTick();
    pushTo(stream, "b");
    pushTo(stream, "c");
    await aTick();
    write("d");
    await aTick();
    close();
    await aTick();
    expect([text(), stream.readableEnded]).toEqual(["abcd", true]);
  });
  test("is cancelled when its reader disconnects, and when it is ended from here", async () => {
    for (const leave of [(stream: Readable) => stream.destroy(), endStream]) {
      const { response, write, isCancelled } = aStream();
      const { stream } = await relayed(response);
      write("a");
      await aTick();
      leave(stream);
      await aTick();
      expect(isCancelled()).toBe(true);
      expect(stream.errored).toBeNull();
    }
  });
  test("breaks off when its source does", async () => {
    const { response, fail } = aStream();
    const { stream } = await relayed(response);
    fail();
    await aTick();
    expect(stream.destroyed).toBe(true);
  });
});

describe("an answer", () => {
  test("keeps its status, its text and the headers for the client", async () => {
    const headers = { "WWW-Authenticate": "Bearer", "X-Other": "a" };
    const answer = await relay(Response.json({ a: 1 }, { status: 403, headers }));
    expect(answer).toEqual({
      status: 403,
      body: '{"a":1}',
      headers: { "Content-Type": "application/json", "WWW-Authenticate": "Bearer" },
    });
  });
  test("of an unexpected kind is our failure", async () => {
    for (const status of [500, 499, 418])
      await expect(relay(new Response("secret", { status }))).rejects.toThrow(Problem);
  });
});
