import { PassThrough } from "node:stream";
import { expect, test, vi } from "vitest";
import type { Message } from "./message.ts";
import { readMessages } from "./read-lines.ts";
import { startServer } from "./start-server.ts";

/** Runs a program as a server. */
function aServer(program: string) {
  const messages: Message[] = [];
  const ends: string[] = [];
  const logs: string[] = [];
  const pipe = startServer(
    { command: [process.execPath, "-e", program], env: process.env, onLog: (text) => logs.push(text) },
    { onMessage: (message) => messages.push(message), onEnd: (why) => ends.push(why) },
  );
  return { pipe, messages, ends, logs };
}

const echo = "process.stdin.pipe(process.stdout); console.error('ready')";

test("passes messages in both directions, and what the server prints on stderr", async () => {
  const { pipe, messages, ends, logs } = aServer(echo);
  const message = { jsonrpc: "2.0", id: 1, method: "a", params: { text: "ü\n" } };
  await pipe.send(message);
  await vi.waitFor(() => {
    expect([messages, logs.join("")]).toEqual([[message], "ready\n"]);
  });
  await pipe.close();
  expect(ends).toEqual([]);
});

test("reports a server that ends, once", async () => {
  const { pipe, ends } = aServer("process.exit(3)");
  await vi.waitFor(() => {
    expect(ends).toEqual([expect.stringMatching(/ended with code 3$/)]);
  });
  await pipe.send({ a: 1 });
  await pipe.close();
  expect(ends).toHaveLength(1);
});

test("reports a command that does not exist", async () => {
  const ends: string[] = [];
  const pipe = startServer(
    { command: ["/nowhere/server"], env: {}, onLog: () => undefined },
    { onMessage: () => undefined, onEnd: (why) => ends.push(why) },
  );
  await vi.waitFor(() => {
    expect(ends).toEqual([expect.stringMatching(/could not be started: .*ENOENT/)]);
  });
  await pipe.close();
});

test("ends a server that does not end with its input", async () => {
  const { pipe, ends } = aServer(
    "process.on('SIGTERM', () => undefined); setInterval(() => undefined, 1000)",
  );
  await pipe.close();
  expect(ends).toEqual([]);
});

test("reads messages across chunks, several in one line, and drops what is no message", async () => {
  const stream = new PassThrough();
  const messages: Message[] = [];
  const noise: string[] = [];
  const reading = readMessages(
    stream,
    (message) => messages.push(message),
    (line) => noise.push(line),
  );
  for (const chunk of ['{"a":', '1}\n{"b"', ':2}\r\n\n[{"c":3},5,', '{"d":4}]\nhello\n{"last":5}'])
    stream.write(chunk);
  stream.end();
  await reading;
  expect(messages).toEqual([{ a: 1 }, { b: 2 }, { c: 3 }, { d: 4 }]);
  expect(noise).toEqual(["hello"]);
});
