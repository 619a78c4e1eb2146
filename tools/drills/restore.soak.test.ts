// The disks of the database and the engine are lost, and the database is restored to an earlier moment.
import { afterAll, beforeAll, expect, test } from "vitest";
import { setStage, type Stage } from "../stage/index.ts";
import { runRestore } from "./run-restore.ts";

let stage: Stage;
beforeAll(async () => {
  stage = await setStage({ isArchived: true });
}, 600_000);
afterAll(() => stage.end());

test("receipts of before the restored moment are valid, and nothing of after it is claimed", async () => {
  const { report, findings, receipts } = await runRestore({ stage, print: console.log });
  console.log(report);
  expect(findings).toEqual([]);
  expect(receipts).toBe(4);
});
