// What a verdict costs: against the bare decoding of the same calldata, over loopback, and by size.
import { fileURLToPath } from "node:url";
import autocannon from "autocannon";
import { decodeFunctionData } from "viem";
import { shapes, type Shape } from "../../apps/validator/test/some-requests.ts";
import { startEngine, type RealEngine } from "../../apps/validator/test/real-engine.ts";
import { measureFlood } from "../../apps/validator/test/flood.ts";
import { ValidateRequest } from "../../apps/validator/src/request/index.ts";
import { validate } from "../../apps/validator/src/validate/validate.ts";
import { freePorts, waitUntil, type Supervisor } from "../engines/index.ts";
import { compare, type Comparison } from "./ratio.ts";

async function perSecond(count: number, once: () => unknown): Promise<number> {
  const began = performance.now();
  for (let i = 0; i < count; i++) await once();
  return (count * 1000) / (performance.now() - began);
}

async function benchShape({ engine }: RealEngine, { abi, data, request }: Shape): Promise<Comparison> {
  const body = ValidateRequest.parse(request);
  const judge = async (): Promise<void> => {
    const { decision, reason } = await validate(body, engine);
    if (decision !== "PASS") throw new Error(`an honest request was rejected: ${reason}`);
  };
  const decode = (): unknown => decodeFunctionData({ abi, data });
  await perSecond(1500, judge);
  await perSecond(1500, decode);
  return compare(
    7,
    () => perSecond(300, judge),
    () => perSecond(1000, decode),
  );
}

/** A verdict in process, from the parsed body to the whole answer, against viem decoding its calldata and nothing else. */
export async function benchVerdicts(): Promise<Readonly<Record<string, Comparison>>> {
  const real = await startEngine();
  const results: Record<string, Comparison> = {};
  for (const shape of shapes)
    results[`verdict ÷ bare viem decode: ${shape.name} (per second)`] = await benchShape(real, shape);
  return results;
}

async function startValidator(supervisor: Supervisor, dir: string): Promise<number> {
  const [port = 0] = await freePorts(1);
  supervisor.start({
    name: "validator",
    command: process.execPath,
    args: [fileURLToPath(new URL("../../apps/validator/src/main.ts", import.meta.url))],
    cwd: dir,
    env: { PORT: String(port), LOG_LEVEL: "warn" },
  });
  const isReady = async (): Promise<void> => {
    const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    if (!metrics.includes('\nvalidate_workers{app="validator"} 2'))
      throw new Error("not all workers are ready");
  };
  await waitUntil("the validator's workers are ready", isReady, { seconds: 180 });
  return port;
}

/** Ordinary requests with and without nine expensive public ones at once, measured alternately. */
export async function benchFlood(supervisor: Supervisor, dir: string): Promise<void> {
  const port = await startValidator(supervisor, dir);
  for (let run = 1; run <= 3; run += 1) {
    const {
      idleP99,
      floodP99,
      ordinary,
      public: answers,
    } = await measureFlood({ port, rounds: 5, count: 200 });
    console.log(
      `run ${run}: p99 of ${ordinary} ordinary requests ${idleP99.toFixed(1)} ms idle, ${floodP99.toFixed(1)} ms in the flood, ` +
        `ratio ${(floodP99 / idleP99).toFixed(2)}; public answers by status ${JSON.stringify(answers)}`,
    );
  }
}

type Latency = { readonly "p50 ms": number; readonly "p99 ms": number; readonly "per second": number };

/** The service as it starts, asked over loopback by one caller and by eight. */
export async function benchValidateOverHttp(
  supervisor: Supervisor,
  dir: string,
): Promise<Readonly<Record<string, Latency>>> {
  const url = `http://127.0.0.1:${await startValidator(supervisor, dir)}`;
  const ask = async ({ request }: Shape, connections: number, amount: number): Promise<Latency> => {
    const { latency, requests, non2xx } = await autocannon({
      url: `${url}/validate`,
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(request),
      connections,
      amount,
    });
    if (non2xx > 0) throw new Error(`${non2xx} requests were refused`);
    return { "p50 ms": latency.p50, "p99 ms": latency.p99, "per second": Math.round(requests.average) };
  };
  const results: Record<string, Latency> = {};
  for (const shape of shapes) {
    await ask(shape, 1, 500);
    results[`${shape.name}, 1 connection`] = await ask(shape, 1, 1500);
    results[`${shape.name}, 8 connections`] = await ask(shape, 8, 1500);
  }
  return results;
}
