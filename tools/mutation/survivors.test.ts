import { expect, test } from "vitest";
import type { Mutant } from "./run-stryker.ts";
import { newSurvivors, recordOf } from "./survivors.ts";

const mutant = (status: string, to: string, line = 1): Mutant => ({
  ...{ file: "a.ts", from: "x < 1", line, status, to },
});

test("counts what tests notice, and keeps what they do not", () => {
  const mutants = [mutant("Killed", "true"), mutant("Timeout", "x >= 1"), mutant("Survived", "x <= 1")];
  const survivors = [{ file: "a.ts", from: "x < 1", to: "x <= 1" }];
  expect(recordOf([...mutants, mutant("Ignored", "")], undefined)).toEqual({
    ...{ mutants: 3, noticed: 2, ignored: 1, survivors },
  });
});

test("a mutant that no test reaches is a survivor", () => {
  expect(recordOf([mutant("NoCoverage", "false")], undefined).survivors).toHaveLength(1);
});

test("keeps the reason of a known survivor, whatever line it is on", () => {
  const survivors = [{ file: "a.ts", from: "x < 1", to: "x <= 1", reason: "x is never 1" }];
  const before = { mutants: 1, noticed: 0, ignored: 0, survivors };
  expect(recordOf([mutant("Survived", "x <= 1", 9)], before).survivors).toEqual(survivors);
  expect(newSurvivors([mutant("Survived", "x <= 1", 9)], before)).toEqual([]);
});

test("another replacement of the same code is a new survivor", () => {
  const before = recordOf([mutant("Survived", "x <= 1")], undefined);
  expect(newSurvivors([mutant("Survived", "true")], before)).toHaveLength(1);
});
