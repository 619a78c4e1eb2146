/** Measures ordinary requests with and without a flood of expensive public ones, alternately in one run. */
import { Agent, request } from "node:http";
import { fill } from "./hostile-words.ts";
import { payMany, payment, shapes } from "./some-requests.ts";
import type { Hex } from "../src/proposal.ts";

type Flood = {
  /** 99th percentile of ordinary requests, in milliseconds. */
  readonly idleP99: number;
  readonly floodP99: number;
  /** The p99 in the flood divided by the idle p99 of the same round: the median of all rounds. */
  readonly medianRatio: number;
  readonly ordinary: number;
  /** Answers to public requests, by status. */
  readonly public: Readonly<Record<number, number>>;
};

type Options = {
  readonly port: number;
  /** Each round has one part without the flood and one with it. */
  readonly rounds: number;
  /** Ordinary requests in each part. */
  readonly count: number;
};

const atOnce = 9;

const post = (agent: Agent, port: number, path: string, text: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(text) };
    const sent = request({ agent, port, host: "127.0.0.1", path, method: "POST", headers }, (response) => {
      response.resume().on("end", () => {
        resolve(response.statusCode ?? 0);
      });
    });
    sent.on("error", reject);
    sent.end(text);
  });

const p99 = (times: readonly number[]): number =>
  times.toSorted((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * 0.99))] ?? Number.NaN;

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

// Below this, the p99 of a few requests is noise of the timer and the garbage collector.
const leastP99Ms = 5;

const party = (n: number): Hex => `0x${(n + 1).toString(16).padStart(40, "c1")}`;

/** As much work as the limits of a public request allow: 20,000 characters of text and a batch of 254 transfers. */
const expensiveRequest: object = {
  ...payment,
  human_intent: fill("send 1 USDC to bob and ", 20_000),
  proposed_tx: {
    to: "0x5afe5afe5afe5afe5afe5afe5afe5afe5afe5afe",
    data: payMany(
      Array.from({ length: 254 }, (_, n) => party(n)),
      5n,
    ),
    value: "0",
  },
};

export async function measureFlood({ port, rounds, count }: Options): Promise<Flood> {
  const ours = new Agent({ keepAlive: true, maxSockets: 1 });
  const theirs = new Agent({ keepAlive: true, maxSockets: atOnce });
  const ordinary = shapes.map((shape) => JSON.stringify(shape.request));
  const expensive = JSON.stringify(expensiveRequest);
  const statuses: Record<number, number> = {};
  let flooding = false;

  const attack = async (): Promise<void> => {
    while (flooding) {
      const status = await post(theirs, port, "/public/validate", expensive);
      statuses[status] = (statuses[status] ?? 0) + 1;
    }
  };
  const ask = async (): Promise<readonly number[]> => {
    const times: number[] = [];
    for (let sent = 0; sent < count; sent += 1) {
      const began = performance.now();
      const status = await post(ours, port, "/validate", ordinary[sent % ordinary.length] ?? "");
      if (status !== 200) throw new Error(`an ordinary request was answered ${status}`);
      times.push(performance.now() - began);
    }
    return times;
  };

  try {
    await ask();
    const idle: number[] = [];
    const flood: number[] = [];
    const ratios: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const before = await ask();
      flooding = true;
      const attackers = Array.from({ length: atOnce }, attack);
      const during = await ask();
      flooding = false;
      await Promise.all(attackers);
      idle.push(...before);
      flood.push(...during);
      ratios.push(p99(during) / Math.max(p99(before), leastP99Ms));
    }
    return {
      idleP99: p99(idle),
      floodP99: p99(flood),
      medianRatio: median(ratios),
      ordinary: idle.length + flood.length,
      public: statuses,
    };
  } finally {
    ours.destroy();
    theirs.destroy();
  }
}
