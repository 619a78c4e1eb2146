import { createServer, type Server } from "node:net";
import { expect, it } from "vitest";
import { freePorts } from "./ports.ts";
import { findListener, readSocketsOf, staysAtHome } from "./sockets.ts";

async function listen(port: number, host: string): Promise<Server> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(port, host, resolve));
  return server;
}

it("finds who listens on a port", async () => {
  const [port = 0, other = 0] = await freePorts(2);
  const server = await listen(port, "127.0.0.1");
  expect(findListener(port)?.pid).toBe(process.pid);
  expect(findListener(other)).toBeUndefined();
  server.close();
});

it.each([
  ["127.0.0.1", true],
  ["::1", true],
  ["::ffff:127.0.0.1", true],
  ["0.0.0.0", false],
  ["::", false],
])("knows whether a listener on %s can be reached from elsewhere", async (host, isAtHome) => {
  const [port = 0] = await freePorts(1);
  const server = await listen(port, host);
  const socket = readSocketsOf(process.pid).find((candidate) => candidate.port === port);
  expect(socket && staysAtHome(socket)).toBe(isAtHome);
  server.close();
});
