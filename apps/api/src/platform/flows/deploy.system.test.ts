import { connect } from "node:http2";
import { afterAll, beforeAll, expect, test } from "vitest";
import { freePorts } from "@countersign/tools/testing";
import { setStage, type Stage } from "./testing/stage.ts";

// How flows reach the engine, and how a new version of them is put beside work that is under way.
let stage: Stage;

beforeAll(async () => {
  stage = await setStage();
});
afterAll(() => stage.end());

/** The status a worker gives to somebody who is not the engine. */
const knock = (port: number, path: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const session = connect(`http://127.0.0.1:${port}`);
    // Not once: the worker may drop the connection after it has answered.
    session.on("error", reject);
    const stream = session.request({ ":method": "GET", ":path": path });
    stream.on("error", reject);
    stream.once("response", (headers) => {
      resolve(Number(headers[":status"]));
      session.close();
    });
    stream.end();
  });

test("a worker refuses whatever the engine did not sign", async () => {
  const worker = await stage.startWorker();
  expect(await knock(worker.port, "/discover")).toBe(401);
  expect(await knock(worker.port, "/invoke/Errand/run")).toBe(401);
  await worker.stop();
});

test("a new version at a new address: work under way finishes on the old one, new work goes to the new one", async () => {
  const [oldPort = 0, newPort = 0] = await freePorts(2);
  const oldWorker = await stage.startWorker({ port: oldPort, version: "1" });
  await stage.register(oldPort);
  await stage.accept("old");
  await stage.until("published", async () => (await stage.tries("old", "publish", "end")) === 1);

  await stage.startWorker({ port: newPort, version: "2" });
  await stage.register(newPort);
  await stage.accept("new");
  await stage.decide("new", "yes");
  await stage.decide("old", "yes");
  await stage.finished("new");
  await stage.finished("old");

  expect(await stage.effects("old")).toEqual(["prepare by 1", "publish by 1", "record yes by 1"]);
  expect(await stage.effects("new")).toEqual(["prepare by 2", "publish by 2", "record yes by 2"]);
  await oldWorker.stop();
});

test("registering the same address again changes nothing", async () => {
  const worker = await stage.startWorker();
  await stage.register(worker.port);
  await stage.register(worker.port);
  await stage.accept("again");
  await stage.decide("again", "yes");
  await stage.finished("again");
});
