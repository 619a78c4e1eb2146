import { expect, test } from "vitest";
import { createCountersign } from "./client.ts";
import { ConflictError, ConnectionError } from "./errors.ts";
import { aServer, breaksOff, says, type Step } from "../test/server.ts";

const session = { accessToken: "access", refreshToken: "refresh" };

/** Sends these parts one after the other, and then ends or breaks off. */
const sends =
  (parts: readonly Buffer[], then: "ends" | "breaks" = "ends"): Step =>
  async (_received, response) => {
    response.writeHead(200, { "content-type": "application/x-ndjson" });
    for (const part of parts) await new Promise((resolve) => response.write(part, resolve));
    if (then === "ends") response.end();
    else response.socket?.resetAndDestroy();
  };

async function readAll(lines: AsyncIterable<string>, read: string[] = []): Promise<readonly string[]> {
  for await (const line of lines) read.push(line);
  return read;
}

test("yields whole lines, wherever the answer was cut", async () => {
  const lines = ['{"kind":"contact","data":{"name":"Ärger 🙂"}}\n', '{"kind":"end","data":{"lines":1}}\n'];
  const bytes = Buffer.from(lines.join(""));
  await using server = await aServer(sends(Array.from(bytes, (byte) => Buffer.from([byte]))));
  expect(await readAll(createCountersign({ url: server.url, session }).exportData())).toEqual(lines);
  expect(server.received[0]?.headers).toMatchObject({ authorization: "Bearer access" });
});

test.each([
  ["without its last line", "ends"],
  ["in the middle of it", "breaks"],
] as const)("rejects an answer that ends %s, after the lines that came", async (_name, then) => {
  await using server = await aServer(sends([Buffer.from('{"kind":"export"}\n{"kind"')], then));
  const read: string[] = [];
  const reading = readAll(createCountersign({ url: server.url, session }).exportData(), read);
  await expect(reading).rejects.toThrow(ConnectionError);
  expect(read).toEqual(['{"kind":"export"}\n']);
});

test("rejects as other calls do while another export is being sent", async () => {
  await using server = await aServer(says(409, { statusCode: 409, message: "Another", error: "Conflict" }));
  const reading = readAll(createCountersign({ url: server.url, session }).exportData());
  await expect(reading).rejects.toThrow(ConflictError);
});

test("rejects with the reason of an aborted signal", async () => {
  await using server = await aServer(breaksOff);
  const reading = readAll(
    createCountersign({ url: server.url, session }).exportData({
      signal: AbortSignal.abort(new Error("mine")),
    }),
  );
  await expect(reading).rejects.toThrow("mine");
});
