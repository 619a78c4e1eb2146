/** A worker thread that searches for counterexamples. It has no network, no key and only its current job. */
import { serveJobs } from "@countersign/platform/pool";
import { loadCedar } from "../cedar.ts";
import { findCounterexamples, type Asked, type Found } from "./find.ts";
import { loadInvariantSchema } from "./replay.ts";

export type SearchJob = Asked & {
  /** CPU time for the search itself, in milliseconds. Reading the texts is not counted. */
  readonly searchMs: number;
};

/** Choices for each invariant. They take about ten seconds with a hundred rules, so that the time usually ends a search first. */
const most = 1_000_000;

const cedar = await loadCedar();
loadInvariantSchema(cedar);

const usedMs = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};

serveJobs<SearchJob, Found, null>({
  about: null,
  handle: ({ searchMs, ...asked }) => findCounterexamples(cedar, asked, { most, searchMs, usedMs }),
});
