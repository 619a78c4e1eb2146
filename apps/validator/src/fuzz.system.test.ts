import { readFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeSupervisor, type Child, type Supervisor } from "@countersign/tools/engines";
import { freePorts, makeTempDir, seedFor, waitUntil } from "@countersign/tools/testing";
import { gatherCorpus, type Corpus } from "../test/corpus.ts";
import { fuzz, type Fuzzed } from "../test/fuzz-requests.ts";
import { makeRandom } from "../test/random.ts";
import { startEngine } from "../test/real-engine.ts";

// Sends everything that a caller can send to the deployed service. `SEED=… CALLS=…` repeats or shortens a run.
const seed = seedFor("SEED");
const wanted = Number(process.env["CALLS"] ?? 5_000);
const connections = 4;

let supervisor: Supervisor;
let child: Child;
let port = 0;
let corpus: Corpus;
const agent = new Agent({ keepAlive: true, maxSockets: connections });

beforeAll(async () => {
  supervisor = makeSupervisor({ logDir: makeTempDir("validator") });
  [port = 0] = await freePorts(1);
  child = supervisor.start({
    name: "validator",
    command: process.execPath,
    args: [fileURLToPath(new URL("main.ts", import.meta.url))],
    cwd: "/",
    env: { PORT: String(port), LOG_LEVEL: "warn" },
  });
  corpus = await gatherCorpus(await startEngine());
  const isReady = async (): Promise<void> => {
    expect((await fetch(`http://127.0.0.1:${port}/ready`)).status).toBe(200);
  };
  await waitUntil("the validator is ready", isReady, { seconds: 60, child });
});
afterAll(async () => {
  agent.destroy();
  await supervisor.stop();
});

type Answer = { readonly status: number; readonly body: string };

const post = (text: string): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(text) };
    const sent = request(
      { agent, port, host: "127.0.0.1", path: "/validate", method: "POST", headers },
      (response) => {
        const parts: Buffer[] = [];
        response.on("data", (part: Buffer) => parts.push(part));
        response.on("end", () => {
          resolve({ status: response.statusCode ?? 0, body: Buffer.concat(parts).toString() });
        });
      },
    );
    sent.setTimeout(60_000, () => sent.destroy(new Error("no answer within a minute")));
    sent.on("error", reject);
    sent.end(text);
  });

const isPass = (body: string): boolean => body.startsWith('{"decision":"PASS"');

const faultOf = ({ pass }: Fuzzed, { status, body }: Answer): string | null => {
  if (status !== 200 && status !== 422) return `answers ${status}: ${body.slice(0, 200)}`;
  if (status === 422) return body.startsWith('{"detail":"') ? null : `refuses with ${body.slice(0, 200)}`;
  return pass === "never" && isPass(body) ? "passes" : null;
};

test(
  `the service answers all of it with 200 or 422, and goes on (SEED=${seed})`,
  { timeout: 900_000 },
  async () => {
    const source = fuzz(makeRandom(seed), corpus);
    const faults: string[] = [];
    const counts = { sent: 0, refused: 0, passed: 0 };
    const began = performance.now();
    const send = async (): Promise<void> => {
      while (counts.sent < wanted && faults.length < 10) {
        counts.sent += 1;
        const fuzzed = source.next().value;
        const answer = await post(fuzzed.text);
        if (answer.status === 422) counts.refused += 1;
        else if (isPass(answer.body)) counts.passed += 1;
        const fault = faultOf(fuzzed, answer);
        if (fault !== null) faults.push(`${fuzzed.kind}: ${fault}\n  ${fuzzed.text}`);
      }
    };
    await Promise.all(Array.from({ length: connections }, send));
    const seconds = (performance.now() - began) / 1000;
    console.log(
      `seed ${seed}: ${counts.sent} requests over ${connections} connections in ${seconds.toFixed(1)} s, ` +
        `${counts.refused} answered 422, ${counts.passed} passed`,
    );
    expect(faults).toEqual([]);
    expect(child.exitReason()).toBeUndefined();
    expect((await fetch(`http://127.0.0.1:${port}/ready`)).status).toBe(200);
    // A part that breaks is answered for and logged: nothing of that here.
    expect(readFileSync(child.logFile, "utf8")).not.toMatch(/"level":(50|60)/);
  },
);

test("a megabyte of calldata and 100 kB of words are answered too", async () => {
  const [honest] = corpus.honest;
  const calldata = {
    ...honest,
    proposed_tx: { to: "0x742d35cc6634c0532925a3b844bc454e4438f44e", data: `0x${"ab".repeat(900_000)}` },
  };
  expect((await post(JSON.stringify(calldata))).body).toMatch(/^{"decision":"REJECT"/);
  const words = { ...honest, human_intent: "send 1 ETH to bob and ".repeat(5_000) };
  expect((await post(JSON.stringify(words))).body).toMatch(/^{"decision":"REJECT"/);
});
