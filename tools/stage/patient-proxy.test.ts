import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import { freePorts } from "../engines/ports.ts";
import { startPatientProxy, type PatientProxy } from "./patient-proxy.ts";

let port: number;
let proxy: PatientProxy;
let server: Server | undefined;
beforeEach(async () => {
  [port = 0] = await freePorts(1);
  proxy = await startPatientProxy(`http://127.0.0.1:${port}`);
});
afterEach(() => {
  proxy.close();
  server?.closeAllConnections();
  server?.close();
  server = undefined;
});

async function serve(answer?: string): Promise<void> {
  server = createServer((_, response) => {
    if (answer !== undefined) response.end(answer);
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
}

const ask = async (): Promise<string> => (await fetch(proxy.url)).text();

test("hands on what is asked and what is answered", async () => {
  await serve("answer");
  expect(await ask()).toBe("answer");
});
test("holds callers until the service is up", async () => {
  const asking = ask();
  expect(await Promise.race([asking, sleep(200, "held")])).toBe("held");
  await serve("late answer");
  expect(await asking).toBe("late answer");
});
test("a service that goes away is seen to", async () => {
  await serve();
  const asking = expect(ask()).rejects.toThrow();
  if (server !== undefined) await once(server, "request");
  server?.closeAllConnections();
  await asking;
});
test("releases all callers when closed", async () => {
  const asking = ask();
  expect(await Promise.race([asking, sleep(200, "held")])).toBe("held");
  proxy.close();
  await expect(asking).rejects.toThrow();
});
