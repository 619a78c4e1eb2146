// Sends every case and keeps the relevant parts of the response.
import { must } from "../must.ts";
import type { BenchCase } from "../types.ts";

export type Outcome = {
  case: BenchCase;
  status: number;
  decision: "PASS" | "REJECT" | "ERROR";
  /** The kind of the assessment. Only `contradicted` claims a difference. */
  assessment: string | null;
  node: string | null;
  failed: string[];
  reason: string;
  millis: number;
};

type Answer = {
  decision?: string;
  assessment?: { kind?: string };
  primary_failure_node?: string | null;
  reason?: string;
  detail?: string;
  results?: Record<string, { status?: string }>;
};

async function ask(url: string, item: BenchCase): Promise<Outcome> {
  const body = JSON.stringify(item.request);
  const started = performance.now();
  const response = await fetch(`${url}/validate`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body,
  });
  const answer = (await response.json().catch(() => ({}))) as Answer;
  const millis = performance.now() - started;
  const known = answer.decision === "PASS" || answer.decision === "REJECT";
  return {
    case: item,
    status: response.status,
    decision: known ? (answer.decision as "PASS" | "REJECT") : "ERROR",
    assessment: answer.assessment?.kind ?? null,
    node: answer.primary_failure_node ?? null,
    failed: Object.entries(answer.results ?? {})
      .filter(([, r]) => r.status === "FAIL")
      .map(([id]) => id),
    reason: answer.reason ?? answer.detail ?? "",
    millis,
  };
}

function broken(item: BenchCase, error: unknown): Outcome {
  return {
    case: item,
    status: 0,
    decision: "ERROR",
    assessment: null,
    node: null,
    failed: [],
    reason: String(error),
    millis: 0,
  };
}

export async function askAll(url: string, cases: readonly BenchCase[], lanes = 4): Promise<Outcome[]> {
  const outcomes = new Array<Outcome>(cases.length);
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < cases.length) {
      const at = next++;
      const item = must(cases[at]);
      outcomes[at] = await ask(url, item).catch((error: unknown) => broken(item, error));
    }
  };
  // One warm-up request, so that the first case does not include start-up time.
  const [first] = cases;
  if (first !== undefined) await ask(url, first).catch(() => undefined);
  await Promise.all(Array.from({ length: lanes }, lane));
  return outcomes;
}

/** Measures latency with one request at a time; concurrent requests would measure queueing. */
export async function latency(
  url: string,
  cases: readonly BenchCase[],
): Promise<{ p50: number; p99: number }> {
  const sample = cases.filter((_, i) => i % Math.max(1, Math.floor(cases.length / 500)) === 0);
  const times: number[] = [];
  for (const item of sample) times.push((await ask(url, item).catch((e: unknown) => broken(item, e))).millis);
  times.sort((a, b) => a - b);
  const at = (q: number): number => times[Math.min(times.length - 1, Math.floor(q * times.length))] ?? 0;
  return { p50: at(0.5), p99: at(0.99) };
}
