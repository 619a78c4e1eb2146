import { rmSync, statSync } from "node:fs";
import { connect } from "node:http2";
import { connectEngine, registerFlows, serveFlows } from "@countersign/platform/engine";
import { makeLog } from "@countersign/platform/log";
import { afterAll, beforeAll, expect, it } from "vitest";
import { makeTempDir } from "../testing/temp-dir.ts";
import { freePorts } from "./ports.ts";
import { startRestate, type Restate } from "./restate.ts";
import { readSocketsOf, staysAtHome } from "./sockets.ts";
import { makeSupervisor, type Supervisor } from "./supervisor.ts";
import { waitUntil } from "./wait.ts";

const dir = makeTempDir("restate");
let supervisor: Supervisor;
let restate: Restate;
let start: () => Promise<Restate>;
const closing: (() => Promise<void>)[] = [];

beforeAll(async () => {
  supervisor = makeSupervisor({ logDir: `${dir}/logs` });
  const [ingress = 0, admin = 0, node = 0] = await freePorts(3);
  start = () => startRestate({ supervisor, dir, ports: { ingress, admin, node } });
  restate = await start();
});

afterAll(async () => {
  for (const close of closing) await close();
  await supervisor.stop();
  rmSync(dir, { recursive: true });
});

/** Our own handlers, which accept calls signed with the key. */
async function serve(app: string, identityKey: string): Promise<string> {
  const flows = await serveFlows({
    app,
    flows: [],
    identityKeys: [identityKey],
    host: "127.0.0.1",
    port: 0,
    log: makeLog({ app, level: "silent" }),
  });
  closing.push(flows.close);
  return `http://127.0.0.1:${flows.port}`;
}

/** Calls a handler directly, without the engine, as any local process could. */
function callUnsigned(workerUrl: string, path: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const session = connect(workerUrl).on("error", reject);
    const request = session.request({ ":method": "POST", ":path": path });
    request.on("error", reject).on("response", (headers) => {
      resolve(Number(headers[":status"]));
      session.destroy();
    });
    request.end();
  });
}

it("signs its calls, so that a handler can refuse everybody else's", async () => {
  const workerUrl = await serve("signed", restate.identityKey);
  await registerFlows({ adminUrl: restate.adminUrl, workerUrl, force: false });
  const { probe } = connectEngine({ app: "signed", ingressUrl: restate.ingressUrl });
  await waitUntil("the engine calls us", probe);
  expect(await callUnsigned(workerUrl, "/invoke/signed-probe/answer")).toBe(401);
});

it("is refused by a handler that knows another key", async () => {
  const workerUrl = await serve("stranger", "publickeyv1_2G8dCQhArfvGpzPw5Vx2ALciR4xCLHfS5YaT93XjNxX9");
  await expect(registerFlows({ adminUrl: restate.adminUrl, workerUrl, force: false })).rejects.toThrow("401");
});

it("keeps its private key to its owner", () => {
  expect(statSync(`${dir}/identity-key.pem`).mode & 0o777).toBe(0o600);
});

it("listens on loopback only, and serves no web page", async () => {
  expect(readSocketsOf(restate.pid).filter((socket) => socket.isListening && !staysAtHome(socket))).toEqual(
    [],
  );
  expect((await fetch(`${restate.adminUrl}/ui/`)).status).toBe(404);
});

it("has after a SIGKILL the same key and everything it was told", async () => {
  const { identityKey } = restate;
  const workerUrl = await serve("kept", identityKey);
  await registerFlows({ adminUrl: restate.adminUrl, workerUrl, force: false });
  await restate.kill();
  restate = await start();
  expect(restate.identityKey).toBe(identityKey);
  const { probe } = connectEngine({ app: "kept", ingressUrl: restate.ingressUrl });
  await waitUntil("the engine calls us again", probe);
});
