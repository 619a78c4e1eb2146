/** Verdicts of a running validator, repeated by another process that knows only the requests and the reports. */
import { spawn } from "node:child_process";
import { rmSync } from "node:fs";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Witness } from "@countersign/evm";
import { fetchOk, makeSupervisor } from "@countersign/tools/engines";
import { freePorts, makeTempDir, sizeOf, waitUntil } from "@countersign/tools/testing";
import { hashReport } from "@countersign/wire";
import {
  aRequest,
  aState,
  anAgreement,
  friend,
  million,
  noAgreement,
  transferData,
} from "../../test/state.ts";
import type { Replayed } from "./replay.ts";

const dir = makeTempDir("replay");
const supervisor = makeSupervisor({ logDir: dir });
const fileOf = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
const count = sizeOf({ part: 25, all: 1_000 });
const every = sizeOf({ part: 37, all: 1 });
let url = "";

type Report = { readonly decision: string; readonly context: Readonly<Record<string, unknown>> };
type Bundle = { readonly request: Record<string, unknown>; readonly report: Report };

beforeAll(async () => {
  const [port = 0] = await freePorts(1);
  url = `http://127.0.0.1:${port}`;
  const child = supervisor.start({
    ...{ name: "validator", command: process.execPath, args: [fileOf("../main.ts")], cwd: dir },
    env: { PORT: String(port), LOG_LEVEL: "warn" },
  });
  await waitUntil("the validator is ready", () => fetchOk(`${url}/ready`), { seconds: 180, child });
}, 200_000);
afterAll(async () => {
  await supervisor.stop();
  rmSync(dir, { recursive: true, force: true });
});

async function check(request: Record<string, unknown>): Promise<Bundle> {
  const answer = await fetch(`${url}/validate`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(request),
  });
  expect(answer.status).toBe(200);
  return { request, report: (await answer.json()) as Report };
}

/** In a new process, without the validator's settings or network. */
async function replayAll(bundles: readonly unknown[], env: Record<string, string> = {}): Promise<Replayed[]> {
  const child = spawn(process.execPath, [fileOf("../replay.ts")], {
    env,
    stdio: ["pipe", "pipe", "inherit"],
  });
  child.stdin.end(bundles.map((bundle) => `${JSON.stringify(bundle)}\n`).join(""));
  const lines = (await text(child.stdout)).trim().split("\n");
  return lines.map((line) => JSON.parse(line) as Replayed);
}

const contracts = ["Token", "FeeToken", "WatchedToken", "GrantingToken", "LyingToken"];

/** Returns the answer of a second engine: nothing, that it cannot tell, that it differs, and mostly that it agrees. */
async function secondEngineOf(state: Witness, index: number): Promise<unknown> {
  if (index % 13 === 3) return undefined;
  if (index % 13 === 5) return noAgreement(state, "the call reads the hash of a block");
  return anAgreement(state, (result) =>
    index % 13 === 8 && result.kind === "ran" ? { ...result, gasUsed: result.gasUsed + 1n } : result,
  );
}

/** The amount, the token's code, the holdings and the request vary; every seventh has no state. */
async function aCase(index: number): Promise<Record<string, unknown>> {
  const amount = BigInt(1 + (index % 900)) * million;
  const contract = contracts[index % contracts.length] ?? "Token";
  const call = { data: transferData(amount) };
  const state = index % 7 === 6 ? undefined : await aState({ contract, call, held: 700n * million });
  const secondEngine = state === undefined ? undefined : await secondEngineOf(state, index);
  const request = aRequest(state, amount, secondEngine);
  return index % 11 === 10 ? { ...request, human_intent: `Pay ${friend} some USDC` } : request;
}

describe("replay", { timeout: 3_600_000 }, () => {
  test(`${count} verdicts are repeated without a difference`, async () => {
    const bundles: Bundle[] = [];
    for (let index = 0; index < count; index++) bundles.push(await check(await aCase(index)));
    expect(new Set(bundles.map(({ report }) => report.decision))).toEqual(new Set(["PASS", "REJECT"]));
    const engines = bundles.map(
      ({ report }) => report.context["second_engine"] as { result: string } | undefined,
    );
    expect(new Set(engines.map((one) => one?.result))).toEqual(
      new Set([undefined, "agree", "cannot", "differs"]),
    );
    const replayed = await replayAll(bundles);
    expect(replayed).toHaveLength(count);
    expect(replayed.filter(({ outcome }) => outcome !== "identical")).toEqual([]);
  });

  test("one changed byte of any input, or of any member of the report, is noticed", async () => {
    const bundle = await check(await aCase(0));
    const inputs = [...changesOf(bundle.request)].map(([path, request]) => [path, { ...bundle, request }]);
    // Each of these is executed, so that not every member is tried with every change.
    const members = [...changesOf(bundle.report)]
      .filter(([path], index) => path !== "context.duration_ms" && index % every === 0)
      .map(([path, report]) => [`report.${path}`, { ...bundle, report }]);
    const changed = [...inputs, ...members];
    const replayed = await replayAll(changed.map(([, one]) => one));
    const signed = hashReport(bundle.report);
    // The replay takes the time of the verdict from the report. Only the signed hash of the report shows that it was changed.
    const isMissed = (path: unknown, found: Replayed | undefined): boolean =>
      found?.outcome === "identical" && (path !== "report.context.inputs.at" || found.reportHash === signed);
    const missed = changed.filter(([path], index) => isMissed(path, replayed[index]));
    expect(inputs.length).toBeGreaterThan(30);
    expect(members.length).toBeGreaterThan(10);
    expect(missed.map(([path]) => path)).toEqual([]);
  });

  test("says that it cannot repeat a verdict made with other settings, another engine or a model", async () => {
    const { request, report } = await check(await aCase(0));
    const { context } = report;
    const other = (members: object): Bundle => ({
      request,
      report: { ...report, context: { ...context, ...members } },
    });
    expect(
      await replayAll([
        other({ engine: { version: "0.9", catalogue: "1" } }),
        other({ inputs: { ...(context["inputs"] as object), configuration: "0x12" } }),
        { request, report: { ...report, llm_calls: 1 } },
        other({ inputs: undefined }),
        { request },
      ]),
    ).toMatchObject([
      { outcome: "cannot", why: expect.stringContaining("by validator 0.9") as string },
      { outcome: "cannot", why: expect.stringContaining("other settings or lists") as string },
      { outcome: "cannot", why: expect.stringContaining("language model") as string },
      { outcome: "cannot", why: expect.stringContaining("names no inputs") as string },
      { outcome: "cannot", why: expect.stringContaining("malformed") as string },
    ]);
    const [strict] = await replayAll([{ request, report }], { REQUIRE_SANCTIONS: "true" });
    expect(strict).toMatchObject({ outcome: "cannot" });
  });
});

/** Each leaf of a JSON value, with one character or digit changed. */
function* changesOf(value: unknown, path = ""): Generator<readonly [string, unknown]> {
  if (typeof value === "object" && value !== null) {
    for (const [name, member] of Object.entries(value))
      for (const [at, changed] of changesOf(member, path === "" ? name : `${path}.${name}`))
        yield [at, Array.isArray(value) ? value.with(Number(name), changed) : { ...value, [name]: changed }];
    return;
  }
  yield [path, changedLeaf(value)];
}

function changedLeaf(value: unknown): unknown {
  if (typeof value === "number") return value + 1;
  if (typeof value === "boolean") return !value;
  if (typeof value !== "string") return "0";
  const at = Math.floor(value.length / 2);
  return `${value.slice(0, at)}${value[at] === "1" ? "2" : "1"}${value.slice(at + 1)}`;
}
