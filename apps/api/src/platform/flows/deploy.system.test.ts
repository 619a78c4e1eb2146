import { connect } from "node:http2";
import { afterAll, beforeAll, expect, test } from "vitest";
import { freePorts } from "@countersign/tools/testing";
import { setHarness, type Harness } from "../../../test/platform/flows/harness.ts";

// How flows reach the engine, and how a new version is deployed while work is in progress.
let harness: Harness;

beforeAll(async () => {
  harness = await setHarness();
});
afterAll(() => harness.end());

/** Returns a worker's status for a caller that is not the engine. */
const knock = (port: number, path: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const session = connect(`http://127.0.0.1:${port}`);
    // Not once(): the worker may drop the connection after it has answered.
    session.on("error", reject);
    const stream = session.request({ ":method": "GET", ":path": path });
    stream.on("error", reject);
    stream.once("response", (headers) => {
      resolve(Number(headers[":status"]));
      session.close();
    });
    stream.end();
  });

test("a worker rejects requests that the engine did not sign", async () => {
  const worker = await harness.startWorker();
  expect(await knock(worker.port, "/discover")).toBe(401);
  expect(await knock(worker.port, "/invoke/Errand/run")).toBe(401);
  await worker.stop();
});

test("a new version at a new address: work in progress finishes on the old one, new work goes to the new one", async () => {
  const [oldPort = 0, newPort = 0] = await freePorts(2);
  const oldWorker = await harness.startWorker({ port: oldPort, version: "1" });
  await harness.register(oldPort);
  await harness.accept("old");
  await harness.until("published", async () => (await harness.tries("old", "publish", "end")) === 1);

  await harness.startWorker({ port: newPort, version: "2" });
  await harness.register(newPort);
  await harness.accept("new");
  await harness.decide("new", "yes");
  await harness.decide("old", "yes");
  await harness.finished("new");
  await harness.finished("old");

  expect(await harness.effects("old")).toEqual(["prepare by 1", "publish by 1", "record yes by 1"]);
  expect(await harness.effects("new")).toEqual(["prepare by 2", "publish by 2", "record yes by 2"]);
  await oldWorker.stop();
});

test("registering the same address again changes nothing", async () => {
  const worker = await harness.startWorker();
  await harness.register(worker.port);
  await harness.register(worker.port);
  await harness.accept("again");
  await harness.decide("again", "yes");
  await harness.finished("again");
});
