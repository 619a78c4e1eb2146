// One proposal on the whole system, with a process for each service: one trace has all of it, however orion learned of
// the proposal, and also after a crash.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { waitUntil } from "@countersign/tools/testing";
import { afterAll, beforeAll, beforeEach, expect, onTestFailed, test } from "vitest";
import { setStage, type Stage } from "../../../tools/stage/index.ts";
import {
  startCollector,
  type Collector,
  type ReceivedSpan,
} from "../../../tools/stand-ins/collector/stand-in.ts";
import {
  executeOnChain,
  proposeInTrace,
  requestText,
  traceEnvironment,
  type Followed,
} from "../../../tools/trace/follow.ts";
import { renderTrace, rootsOf } from "../../../tools/trace/tree.ts";

let collector: Collector;
let stage: Stage;
beforeAll(async () => {
  collector = await startCollector();
  stage = await setStage({ env: traceEnvironment(collector), isWorkerApart: true });
  stage.chain.mineEvery(200);
}, 240_000);
afterAll(async () => {
  await stage.end();
  await collector.close();
});
beforeEach(() => {
  stage.proxies.orion.fail();
});

const verified = "orion-verify-group: verify";
const has = ({ spans }: Followed, name: string): boolean => spans().some((span) => span.name === name);

/** Waits for the spans that end last, of each process. */
async function complete(followed: Followed): Promise<void> {
  const last = [verified, "check", "verification: nudge"];
  await waitUntil("the verdict's spans have arrived", () => last.every((name) => has(followed, name)), {
    seconds: 60,
  });
}

/** The spans above this one, from the nearest to the root, as "service name". */
function pathOf(followed: Followed, name: string): readonly string[] {
  const spans = followed.spans();
  const path: string[] = [];
  let at: ReceivedSpan | undefined = spans.find((span) => span.name === name);
  while (at !== undefined) {
    path.push(`${at.service.replace("countersign-", "")} ${at.name}`);
    const { parentId }: ReceivedSpan = at;
    at = spans.find(({ spanId }) => spanId === parentId);
  }
  return path;
}

const showOnFailure = (followed: Followed): void => {
  onTestFailed(() => {
    console.log(renderTrace(followed.spans()));
  });
};

const linesOf = (log: string): readonly Readonly<Record<string, unknown>>[] =>
  readFileSync(join(stage.logDir, log), "utf8")
    .split("\n")
    .flatMap((line) => (line.startsWith("{") ? [JSON.parse(line) as Record<string, unknown>] : []));

const proposed = ["api POST /transactions", "agent pay a friend"];

test("one trace has the agent's call, the flow, the verification, the verdict and the chain", async () => {
  const followed = await proposeInTrace(stage, collector);
  showOnFailure(followed);
  expect(followed.decision).toBe("APPROVED");
  await complete(followed);
  await executeOnChain(stage, followed);

  const spans = followed.spans();
  expect(new Set(spans.map(({ service }) => service))).toEqual(
    new Set(["agent", ...["api", "worker", "orion", "validator"].map((name) => `countersign-${name}`)]),
  );
  // Every span has its parent in the trace, up to the agent's.
  expect(rootsOf(spans).map(({ service, name }) => [service, name])).toEqual([["agent", "pay a friend"]]);
  expect(pathOf(followed, "verification: look")).toEqual(["worker verification: look", ...proposed]);
  expect(pathOf(followed, "eth_sendRawTransaction chain").slice(-3)).toEqual([
    "worker verification: register",
    ...proposed,
  ]);
  expect(pathOf(followed, "watch: EXECUTED")).toEqual(["worker watch: EXECUTED", ...proposed]);
  expect(pathOf(followed, "check").slice(0, 5)).toEqual([
    "validator check",
    "validator POST /validate",
    "orion POST validator /validate",
    "orion form an opinion",
    `orion ${verified}`,
  ]);
  expect(pathOf(followed, "check").slice(-2)).toEqual(proposed);
  expect(pathOf(followed, "POST /transactions/:requestHash/approvals").slice(0, 3)).toEqual([
    "api POST /transactions/:requestHash/approvals",
    "orion POST main service /transactions/{requestHash}/approvals",
    `orion ${verified}`,
  ]);
  const about = (name: string) => spans.find((span) => span.name === name)?.attributes;
  expect(about("POST /transactions")).toEqual({
    "http.request.method": "POST",
    "http.route": "/transactions",
    "http.response.status_code": 201,
    "countersign.request_hash": followed.requestHash,
  });
  expect(about(verified)).toMatchObject({ "countersign.decision": "APPROVED" });
});

test("log lines of every service have the trace's id", async () => {
  const followed = await proposeInTrace(stage, collector);
  showOnFailure(followed);
  await complete(followed);
  const ids = () => new Set(followed.spans().map(({ spanId }) => spanId));
  const inTrace = (log: string) => linesOf(log).filter(({ traceId }) => traceId === followed.traceId);
  for (const log of ["api.log", "orion.log", "validator.log"]) {
    await waitUntil(`${log} has the trace`, () => inTrace(log).length > 0);
    // Spans arrive a moment after the lines.
    await waitUntil(`every line of ${log} has its span`, () =>
      inTrace(log).every(({ spanId }) => ids().has(String(spanId))),
    );
  }
});

test("nudged, it is verified in the same trace, which has the nudge", async () => {
  await stage.actors.orion.start({ WATCH_EVERY_MS: "600000" });
  const followed = await proposeInTrace(stage, collector);
  showOnFailure(followed);
  await complete(followed);
  await stage.actors.orion.start();
  expect(pathOf(followed, "POST /nudges")).toEqual([
    "orion POST /nudges",
    "worker POST orion /nudges",
    "worker verification: nudge",
    ...proposed,
  ]);
  expect(pathOf(followed, verified)).toEqual([`orion ${verified}`, ...proposed]);
});

test("found on the chain instead of by a nudge, it is verified in the same trace", async () => {
  stage.proxies.orion.fail({ isDown: true });
  const followed = await proposeInTrace(stage, collector);
  showOnFailure(followed);
  await complete(followed);
  expect(has(followed, "POST /nudges")).toBe(false);
  expect(pathOf(followed, verified)).toEqual([`orion ${verified}`, ...proposed]);
});

test("killed between two steps, the worker continues the trace with the next one", async () => {
  // It cannot be registered without the chain.
  stage.proxies.anvil.fail({ isDown: true });
  const known = collector.spans().length;
  const isBegun = () =>
    collector
      .spans()
      .slice(known)
      .some(({ name }) => name === "verification: look");
  const following = proposeInTrace(stage, collector);
  await waitUntil("its flow has begun", isBegun);
  await stage.worker.kill();
  stage.proxies.anvil.fail();
  await stage.worker.start();
  const followed = await following;
  showOnFailure(followed);
  await complete(followed);
  expect(pathOf(followed, "verification: register")).toEqual(["worker verification: register", ...proposed]);
  const [before, after] = ["verification: look", "verification: register"].map(
    (name) => followed.spans().findLast((span) => span.name === name)?.pid,
  );
  expect(after).not.toBe(before);
});

test("no credential, no text of a request and no address of an account is in any span", async () => {
  const followed = await proposeInTrace(stage, collector);
  await complete(followed);
  const { owner, agent } = followed.owner.credentials();
  const { admin, orion, nudgeToken } = stage.serverKeys;
  const text = collector.text().toLowerCase();
  expect(text).toContain(followed.requestHash);
  for (const secret of [
    ...[admin, orion, nudgeToken, agent["x-api-key"] ?? "", (owner["authorization"] ?? "").slice(7)],
    ...[requestText, requestText.slice(0, 14), "742d35cc6634c0532925a3b844bc454e4438f44e"],
    followed.owner.address.slice(2),
  ]) {
    expect(secret.length).toBeGreaterThan(10);
    expect(text).not.toContain(secret.toLowerCase());
  }
});

test("without a collector that answers, proposals are accepted and verified", async () => {
  collector.setMode("hang");
  const requests = collector.requests();
  const followed = await proposeInTrace(stage, collector);
  expect(followed.decision).toBe("APPROVED");
  await waitUntil("spans were sent to it", () => collector.requests() > requests);
  collector.setMode("accept");
});
