import { afterEach, describe, expect, test, vi } from "vitest";
import { makeLog } from "../log/index.ts";
import { makePool, PoolBusy, type Pool, type PoolOptions } from "./pool.ts";
import type { BusyJob } from "../../test/pool/busy-worker.ts";

type BusyPool = Pool<BusyJob, string, string>;

const opened: BusyPool[] = [];
afterEach(() => Promise.all(opened.splice(0).map((pool) => pool.close())));

const written: string[] = [];
const lines = (): readonly unknown[] => written.map((line) => JSON.parse(line) as unknown);
const log = makeLog({ app: "test", level: "debug", to: { write: (line) => void written.push(line) } });
const makeBusyPool = (given: Partial<PoolOptions> = {}): BusyPool => {
  const pool: BusyPool = makePool({
    name: "test",
    file: new URL("../../test/pool/busy-worker.ts", import.meta.url),
    dataFor: () => ({}),
    size: 1,
    queue: 8,
    maxWaitMs: 30_000,
    memoryMb: 64,
    log,
    ...given,
  });
  opened.push(pool);
  return pool;
};
const allReady = (pool: BusyPool, size: number): Promise<unknown> =>
  vi.waitFor(
    () => {
      expect(pool.threads()).toBe(size);
    },
    { timeout: 30_000 },
  );
const startPool = async (given: Partial<PoolOptions> = {}): Promise<BusyPool> => {
  const pool = makeBusyPool(given);
  await pool.start();
  await allReady(pool, given.size ?? 1);
  return pool;
};

const echo: BusyJob = { do: "echo", text: "hello" };
const forever: BusyJob = { do: "spin", cpuMs: 1e9 };
const small = { budgetMs: 100, isLarge: false };
const large = { budgetMs: 100, isLarge: true };

describe("the budget", () => {
  test("ends a job that never returns, and the pool serves again", async () => {
    const pool = await startPool();
    expect(await pool.run(forever, small)).toMatchObject({ kind: "over_budget", of: "time" });
    expect(pool.threads()).toBe(0);
    expect(await pool.run(echo, small)).toMatchObject({ kind: "done", result: "hello" });
    expect([pool.threads(), pool.endedThreads()]).toEqual([1, 1]);
    expect(lines()).toMatchObject([
      { msg: "worker thread ended over its budget", step: "test", reason: "time" },
    ]);
  });
  test("counts the CPU time of each job, and not that of the ones before", async () => {
    const pool = await startPool();
    for (let round = 0; round < 3; round += 1)
      expect(await pool.run({ do: "spin", cpuMs: 50 }, small)).toMatchObject({ kind: "done" });
    expect(pool.endedThreads()).toBe(0);
  });
  test("does not count time in which the job uses no CPU", async () => {
    const pool = await startPool();
    expect(await pool.run({ do: "sleep", ms: 400 }, small)).toMatchObject({ kind: "done" });
  });
  test("reports the CPU time that a job used", async () => {
    const pool = await startPool();
    const { cpuMs } = await pool.run({ do: "spin", cpuMs: 40 }, small);
    expect(cpuMs).toBeGreaterThanOrEqual(40);
  });
  test("ends a job that needs too much memory, and the pool serves again", async () => {
    const pool = await startPool();
    const hungry = await pool.run({ do: "fill_memory" }, { budgetMs: 60_000, isLarge: false });
    expect(hungry).toMatchObject({ kind: "over_budget", of: "memory" });
    expect(await pool.run(echo, small)).toMatchObject({ kind: "done" });
  });
});

describe("a job that fails", () => {
  test("rejects, and its thread goes on", async () => {
    const pool = await startPool();
    await expect(pool.run({ do: "throw" }, small)).rejects.toThrow("the job failed");
    expect(await pool.run(echo, small)).toMatchObject({ kind: "done" });
    expect(pool.threads()).toBe(1);
  });
  test("rejects if its thread dies, which costs no other job", async () => {
    const pool = await startPool();
    const dying = pool.run({ do: "exit" }, small);
    const next = pool.run(echo, small);
    await expect(dying).rejects.toThrow("a worker thread ended");
    expect(await next).toMatchObject({ kind: "done" });
  });
});

describe("the queue", () => {
  test("refuses a job when it is full, and takes jobs again afterwards", async () => {
    const pool = await startPool({ queue: 1 });
    const running = pool.run({ do: "spin", cpuMs: 50 }, small);
    const waiting = pool.run(echo, small);
    expect(pool.waiting()).toBe(1);
    await expect(pool.run(echo, small)).rejects.toThrow(PoolBusy);
    await Promise.all([running, waiting]);
    expect(await pool.run(echo, small)).toMatchObject({ kind: "done" });
  });
  test("refuses a job that waited too long", async () => {
    const pool = await startPool({ maxWaitMs: 50 });
    const running = pool.run({ do: "sleep", ms: 500 }, small);
    await expect(pool.run(echo, small)).rejects.toThrow("the job waited too long");
    expect(pool.waiting()).toBe(0);
    expect(await running).toMatchObject({ kind: "done" });
  });
  test("lets a small job pass a large one that waits", async () => {
    const pool = await startPool();
    const order: string[] = [];
    const note = (name: string) => () => void order.push(name);
    const first = pool.run({ do: "sleep", ms: 100 }, small);
    await Promise.all([
      first,
      pool.run(echo, large).then(note("large")),
      pool.run(echo, small).then(note("small")),
    ]);
    expect(order).toEqual(["small", "large"]);
  });
  test("keeps one thread free of large jobs", async () => {
    const pool = await startPool({ size: 2 });
    const blocked = [1, 2, 3].map(() => pool.run({ do: "sleep", ms: 300 }, large));
    const began = performance.now();
    await pool.run(echo, small);
    const afterSmall = performance.now() - began;
    await Promise.all(blocked);
    // Three large jobs one after the other take three times 300 ms; the small one waits for none of them.
    expect(afterSmall).toBeLessThan((performance.now() - began) / 3);
  });
});

describe("threads", () => {
  test("that cannot start make the start fail with their own error", async () => {
    const pool = makeBusyPool({ dataFor: () => ({ failToStart: "lists.json: not a list" }) });
    await expect(pool.start()).rejects.toThrow("lists.json: not a list");
  });
  test("that cannot be replaced at first are tried again", async () => {
    let attempts = 0;
    const dataFor = (isReplacement: boolean): object =>
      isReplacement && (attempts += 1) === 1 ? { failToStart: "no memory" } : {};
    const pool = await startPool({ dataFor });
    await pool.run(forever, small);
    expect(await pool.run(echo, small)).toMatchObject({ kind: "done" });
    expect(attempts).toBe(2);
    expect(lines().at(-1)).toMatchObject({
      msg: "worker thread failed to start",
      error: { message: "no memory" },
    });
  });
  test("are never more than the pool's size", async () => {
    const pool = await startPool({ size: 2 });
    await Promise.all([1, 2, 3, 4].map(() => pool.run(forever, small)));
    await allReady(pool, 2);
    expect(await pool.run(echo, small)).toMatchObject({ kind: "done" });
    expect(pool.threads()).toBe(2);
  });
  test("end when the pool closes, and what waits is refused", async () => {
    const pool = await startPool();
    const running = pool.run(forever, { budgetMs: 60_000, isLarge: false });
    const waiting = pool.run(echo, small);
    const refused = [
      expect(running).rejects.toThrow("a worker thread ended"),
      expect(waiting).rejects.toThrow(PoolBusy),
    ];
    await pool.close();
    await Promise.all(refused);
    await expect(pool.run(echo, small)).rejects.toThrow(PoolBusy);
    expect(pool.threads()).toBe(0);
  });
});

describe("processes", () => {
  test("run jobs, and are ended and replaced when a job goes over its budget", async () => {
    const pool = await startPool({ kind: "process" });
    expect(await pool.run(echo, small)).toMatchObject({ kind: "done", result: "hello" });
    expect(await pool.run(forever, small)).toMatchObject({ kind: "over_budget", of: "time" });
    expect(await pool.run(echo, small)).toMatchObject({ kind: "done", result: "hello" });
    expect([pool.threads(), pool.endedThreads()]).toEqual([1, 1]);
  });
  test("report the errors and the CPU time of their jobs", async () => {
    const pool = await startPool({ kind: "process" });
    await expect(pool.run({ do: "throw" }, small)).rejects.toThrow("the job failed");
    const { cpuMs } = await pool.run({ do: "spin", cpuMs: 40 }, small);
    expect(cpuMs).toBeGreaterThanOrEqual(40);
  });
  test("are ended when a job takes too much memory outside of JavaScript", async () => {
    const pool = await startPool({ kind: "process" });
    const hungry = await pool.run({ do: "fill_buffers" }, { budgetMs: 60_000, isLarge: false });
    expect(hungry).toMatchObject({ kind: "over_budget", of: "memory" });
    expect(await pool.run(echo, small)).toMatchObject({ kind: "done" });
  });
  test("that die cost only their own job", async () => {
    const pool = await startPool({ kind: "process" });
    await expect(pool.run({ do: "exit" }, small)).rejects.toThrow("a worker thread ended");
    expect(await pool.run(echo, small)).toMatchObject({ kind: "done" });
  });
  test("end when the pool closes", async () => {
    const pool = await startPool({ kind: "process" });
    const { result } = (await pool.run({ do: "pid" }, small)) as { readonly result: string };
    await pool.close();
    expect(() => process.kill(Number(result), 0)).toThrow("ESRCH");
  });
});

describe.each(["thread", "process"] as const)("a %s that keeps memory of its jobs", (kind) => {
  const keep: BusyJob = { do: "keep", mb: 16 };
  /** Runs one job. Returns which worker ran it, and the MB that it keeps by now. */
  const runKeep = async (pool: BusyPool): Promise<readonly [id: string, keptMb: number]> => {
    const outcome = await pool.run(keep, { budgetMs: 60_000, isLarge: false });
    if (outcome.kind !== "done") throw new Error(`the job was ended: ${outcome.of}`);
    const [id = "", keptMb] = outcome.result.split(" ");
    return [id, Number(keptMb)];
  };

  test("is replaced between two jobs, which end no job", async () => {
    const pool = await startPool({ kind });
    const [first] = await runKeep(pool);
    const keptByFirst: number[] = [];
    await vi.waitFor(
      async () => {
        const [id, keptMb] = await runKeep(pool);
        if (id === first) keptByFirst.push(keptMb);
        expect(id).not.toBe(first);
      },
      { timeout: 30_000, interval: 50 },
    );
    // Not before it holds most of the 64 MB that it may take.
    expect(Math.max(...keptByFirst)).toBeGreaterThanOrEqual(32);
    expect([pool.threads(), pool.endedThreads()]).toEqual([1, 0]);
    expect(pool.replacedThreads()).toBeGreaterThanOrEqual(1);
    expect(lines()).toContainEqual(
      expect.objectContaining({ msg: "worker replaced, it kept memory", step: "test" }),
    );
  });
  test("is never one more than the pool's size, and no job waits for the new one to start", async () => {
    const pool = await startPool({ kind, size: 2, queue: 64 });
    const seen: number[] = [];
    for (let round = 0; round < 20; round += 1) {
      await Promise.all([runKeep(pool), runKeep(pool), runKeep(pool)]);
      seen.push(pool.threads());
    }
    expect(Math.max(...seen)).toBe(2);
    expect(pool.endedThreads()).toBe(0);
  });
  test("is replaced once if it dies before the new one is ready", async () => {
    let starts = 0;
    const dataFor = (): object => ((starts += 1), {});
    const pool = await startPool({ kind, dataFor });
    for (let kept = 0; kept < 64; kept += 16) await runKeep(pool);
    await expect(pool.run({ do: "exit" }, small)).rejects.toThrow("a worker thread ended");
    await runKeep(pool);
    expect([pool.threads(), starts]).toEqual([1, 2]);
  });
});

describe("a worker that keeps memory while no other can be started", () => {
  test("is ended at twice the limit", async () => {
    let attempts = 0;
    const dataFor = (isReplacement: boolean): object =>
      isReplacement && (attempts += 1) <= 1 ? { failToStart: "no memory" } : {};
    const pool = await startPool({ dataFor });
    const kept: number[] = [];
    for (let job = 0; job < 12; job += 1) {
      const { result } = (await pool.run({ do: "keep", mb: 16 }, small)) as { readonly result: string };
      kept.push(Number(result.split(" ")[1]));
    }
    // The limit is 64 MB.
    expect(Math.max(...kept)).toBeLessThanOrEqual(128 + 16);
    expect(kept.at(-1)).toBeLessThan(128);
    expect(pool.threads()).toBe(1);
  });
});
