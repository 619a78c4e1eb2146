import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { startBalancer } from "./balancer.ts";

type Target = { readonly port: number; isReady: boolean; readonly stop: () => void };

/** Answers with its name, and about whether it is ready. */
async function aTarget(name: string): Promise<Target> {
  const server: Server = createServer((request, response) => {
    const status = request.url === "/ready" && !target.isReady ? 503 : 200;
    response.writeHead(status, { connection: "close" }).end(name);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const stop = (): void => {
    server.close();
    server.closeAllConnections();
  };
  onTestFinished(stop);
  const target: Target = { port: (server.address() as AddressInfo).port, isReady: true, stop };
  return target;
}

const portsOf = (...targets: readonly Target[]): readonly number[] => targets.map(({ port }) => port);

async function aBalancer(targets: readonly number[], readyPath?: string) {
  const balancer = await startBalancer({ targets, ...(readyPath === undefined ? {} : { readyPath }) });
  onTestFinished(balancer.close);
  const ask = async (): Promise<string> => (await fetch(balancer.url)).text();
  return { ...balancer, ask };
}

test("passes connections to its targets by turns", async () => {
  const { ask } = await aBalancer(portsOf(await aTarget("a"), await aTarget("b")));
  expect([await ask(), await ask(), await ask()].toSorted()).toEqual(["a", "a", "b"]);
});

test("passes over a target that is gone", async () => {
  const [a, b] = [await aTarget("a"), await aTarget("b")];
  const { ask } = await aBalancer(portsOf(a, b));
  a.stop();
  expect([await ask(), await ask()]).toEqual(["b", "b"]);
});

test("uses a target that is not ready only if none is", async () => {
  const [a, b] = [await aTarget("a"), await aTarget("b")];
  const { ask } = await aBalancer(portsOf(a, b), "/ready");
  a.isReady = false;
  await expect.poll(async () => [await ask(), await ask()]).toEqual(["b", "b"]);
  b.isReady = false;
  await expect.poll(async () => new Set([await ask(), await ask()])).toEqual(new Set(["a", "b"]));
});

test("closes a connection that no target takes", async () => {
  const a = await aTarget("a");
  const { ask } = await aBalancer(portsOf(a));
  a.stop();
  await expect(ask()).rejects.toThrow("fetch failed");
});

test("sends new connections to new targets", async () => {
  const [a, b] = [await aTarget("a"), await aTarget("b")];
  const { ask, setTargets } = await aBalancer(portsOf(a));
  setTargets(portsOf(b));
  expect([await ask(), await ask()]).toEqual(["b", "b"]);
});
