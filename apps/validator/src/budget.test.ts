import { expect, test } from "vitest";
import { checkpoint, checkpointInLoop, OverBudget, withinBudget } from "./budget.ts";

const spin = (look: () => void) => (): void => {
  for (;;) look();
};

test.each([
  ["checkpoint", checkpoint],
  ["checkpointInLoop", checkpointInLoop],
])("%s ends work that has used up its budget", (_, look) => {
  expect(() => {
    withinBudget(10, spin(look));
  }).toThrow(OverBudget);
});

test("work within its budget goes through, and the next has a budget of its own", () => {
  const use = (ms: number) => () => {
    const { user, system } = process.threadCpuUsage();
    for (let now = user + system; now < user + system + ms * 1000;) {
      const usage = process.threadCpuUsage();
      now = usage.user + usage.system;
    }
    checkpoint();
    return "done";
  };
  for (let round = 0; round < 3; round += 1) expect(withinBudget(40, use(20))).toBe("done");
});

test("without a budget nothing ends", () => {
  expect(() => {
    for (let call = 0; call < 1_000; call += 1) checkpointInLoop();
    checkpoint();
  }).not.toThrow();
});

test("a budget ends with its work, also when that throws", () => {
  expect(() => {
    withinBudget(0, checkpoint);
  }).toThrow(OverBudget);
  expect(checkpoint).not.toThrow();
});
