import { expect, test } from "vitest";
import { makeHealth } from "./health.ts";
import { aClock, aLog } from "../../test/http.ts";

const good = { name: "good", required: true, run: () => Promise.resolve() };
const bad = (required: boolean) => ({ name: "bad", required, run: () => Promise.reject(new Error("away")) });
const healthOf = (...checks: Parameters<typeof makeHealth>[0]["checks"]) =>
  makeHealth({ checks, clock: aClock(), log: aLog().log });

test("is ok and ready when every check passes", async () => {
  expect(await healthOf(good).read()).toMatchObject({ status: "ok", ready: true, checks: { good: "ok" } });
});

test("is degraded but ready without something it can do without", async () => {
  expect(await healthOf(good, bad(false)).read()).toMatchObject({ status: "degraded", ready: true });
});

test("is not ready without something it needs", async () => {
  expect(await healthOf(good, bad(true)).read()).toMatchObject({
    status: "degraded",
    ready: false,
    checks: { bad: "failing" },
  });
});

test("is not ready while it shuts down", async () => {
  const health = healthOf(good);
  expect(health.isDraining()).toBe(false);
  health.startDraining();
  expect(health.isDraining()).toBe(true);
  expect(await health.read()).toMatchObject({ status: "ok", ready: false });
});

test("asks its checks once for all who ask within a second", async () => {
  let asked = 0;
  const clock = aClock();
  const run = async () => void asked++;
  const health = makeHealth({ checks: [{ name: "counted", required: true, run }], clock, log: aLog().log });
  await Promise.all([health.read(), health.read(), health.read()]);
  expect(asked).toBe(1);
  clock.move(1_000);
  await health.read();
  expect(asked).toBe(2);
});
