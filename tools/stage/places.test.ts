import { appendFileSync, rmSync } from "node:fs";
import { afterAll, expect, test } from "vitest";
import { makeTempDir } from "../testing/temp-dir.ts";
import { findUnlisted, listing, onceEach, readPlaces, withoutCount, type Case } from "./places.ts";
import type { Stage } from "./stage.ts";

const logDir = makeTempDir("places");
const stage = { logDir } as Stage;
afterAll(() => {
  rmSync(logDir, { recursive: true });
});

const at = (place: string, kind: Case["kind"] = "user"): Case => ({ app: "api", place, kind });

test("the list names each place once", () => {
  const names = readPlaces().map(({ app, place }) => `${app} ${withoutCount(place)}`);
  expect(new Set(names).size).toBe(names.length);
  expect(names.length).toBeGreaterThan(0);
});
test("a place that was come to and is not listed is found, whatever it counts", () => {
  appendFileSync(listing(stage, "api")["CRASH_LIST"] ?? "", "round 1\nround 2\nnew\n");
  appendFileSync(listing(stage, "orion")["CRASH_LIST"] ?? "", "round 1\n");
  expect(findUnlisted(stage, [at("round 1")])).toEqual(["api new", "orion round n"]);
});
test("waiting for a wallet or a lost answer is neither listed nor missed", () => {
  const chance = "transaction: before after begin 1.1, look 1";
  expect(onceEach([at(chance, "custody"), at("transaction: after begin 1.1", "custody")])).toEqual([
    at("transaction: after begin 1.1", "custody"),
  ]);
  appendFileSync(listing(stage, "api")["CRASH_LIST"] ?? "", `${chance}\n`);
  expect(findUnlisted(stage, [at("round 1"), at("new")])).toEqual(["orion round n"]);
});
test("a verdict that is stored before the registration is noted is neither listed nor missed", () => {
  const early = "change: after commit, RECEIVED";
  expect(onceEach([at(early)])).toEqual([]);
  appendFileSync(listing(stage, "api")["CRASH_LIST"] ?? "", `${early}\nchange: after wake, RECEIVED\n`);
  expect(findUnlisted(stage, [at("round 1"), at("new")])).toEqual(["orion round n"]);
});
test("each place once, in the first kind of story that is sure to reach it", () => {
  const registered = "change: after commit, REGISTERED";
  const cases = [at("a"), at(registered), at("a", "agent"), at("b 2", "agent"), at("b 1", "unjudged")];
  expect(onceEach([...cases, at(registered, "unjudged")])).toEqual([
    at("a"),
    at("b 2", "agent"),
    at(registered, "unjudged"),
  ]);
});
