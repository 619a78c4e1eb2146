import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { systemClock } from "@countersign/platform/clock";
import { FlowCannotGoOn, type Flow } from "@countersign/platform/engine";
import { defineDurableFlow, defineGroupFlow, type FlowStore } from "../../../src/platform/flows/index.ts";

/** The tables of the test flow: its data, its effects, its attempts, and where it is made to pause. */
export const errandTables = `
  create table errands (key text primary key, verdict text);
  create table effects (key text, step text, version text, primary key (key, step));
  create table tries (at serial, key text, step text, what text, pid integer);
  create table gates (place text primary key)`;

type Parts = { readonly pool: pg.Pool; readonly store: FlowStore; readonly version: string };

/** The flow whose rows are worked on in groups. */
export const errandGroup = "Errands";

/** Small flows that record everything they do, so that a test can count: one of a row, and one of a group. */
export function makeErrands({ pool, store, version }: Parts): readonly Flow[] {
  const standStillAt = async (place: string): Promise<void> => {
    while ((await pool.query("select 1 from gates where place = $1", [place])).rowCount === 1)
      await sleep(20);
  };
  const note = async (key: string, step: string, what: string): Promise<void> => {
    await pool.query("insert into tries (key, step, what, pid) values ($1, $2, $3, $4)", [
      key,
      step,
      what,
      process.pid,
    ]);
  };
  /** Idempotent under its own key, (key, step), as every effect must be: it may run again, also concurrently. */
  const effect = async (key: string, step: string): Promise<void> => {
    await note(key, step, "begin");
    await standStillAt(`in ${step}`);
    await pool.query("insert into effects values ($1, $2, $3) on conflict do nothing", [key, step, version]);
    await note(key, step, "end");
  };
  const readVerdict = async (key: string): Promise<string | undefined> => {
    const { rows } = await pool.query<{ verdict: string | null }>(
      "select verdict from errands where key = $1",
      [key],
    );
    return rows[0]?.verdict ?? undefined;
  };
  const group = defineGroupFlow(
    {
      name: errandGroup,
      run: async ({ step, begin, finish }) => {
        const keys = await step("begin", begin);
        for (const key of keys) await step(`publish ${key}`, () => effect(key, "publish"));
        await step("finish", () => finish(keys));
      },
    },
    { store },
  );
  const single = defineDurableFlow(
    {
      name: "Errand",
      run: async ({ key, step, waitFor }) => {
        if (key === "hopeless") throw new FlowCannotGoOn("there is no such place");
        if (key === "hopeless step")
          await step("ask", () => Promise.reject(new FlowCannotGoOn("there is no way to continue")));
        await step("prepare", () => effect(key, "prepare"));
        await standStillAt("between prepare and publish");
        await step("publish", () => effect(key, "publish"));
        const verdict = await waitFor(
          "verdict",
          () => readVerdict(key),
          new Date(systemClock.now().getTime() + 600_000),
        );
        await step("record", () => effect(key, `record ${verdict ?? "nothing"}`));
      },
    },
    { store, clock: systemClock },
  );
  return [single, group];
}
