/**
 * Repeats verdicts, one for each line `{request, report}` on stdin, and answers with one line each on stdout. It has no network
 * and needs none. Settings are those of the validator that made them.
 */
import { createInterface } from "node:readline";
import { systemClock } from "@countersign/platform/clock";
import { loadConfig } from "@countersign/platform/config";
import { makeLog } from "@countersign/platform/log";
import { version } from "./app.ts";
import { Config } from "./config.ts";
import { readListKey, readSnapshot } from "./lists/index.ts";
import { makeReplayClock, replay } from "./replay/replay.ts";
import { hashConfiguration } from "./validate/configuration.ts";
import { loadEngine } from "./validate/load-engine.ts";

const config = loadConfig(Config, process.env);
const log = makeLog({ app: "validator", level: "silent" });
const now = systemClock.now();
const clock = makeReplayClock(now);
const lists = readSnapshot(config.VALIDATOR_DATA_DIR ?? null, {
  now: BigInt(Math.floor(now.getTime() / 1000)),
  keys: config.LIST_KEYS.flatMap((key) => readListKey(key) ?? []),
});
const parts = {
  engine: await loadEngine({ config, version, clock, log }),
  clock,
  configuration: hashConfiguration(config, lists),
  requiresState: config.REQUIRE_STATE,
  requiresSecondEngine: config.REQUIRE_SECOND_ENGINE,
};
for await (const line of createInterface({ input: process.stdin }))
  if (line !== "") process.stdout.write(`${JSON.stringify(await replay(line, parts))}\n`);
