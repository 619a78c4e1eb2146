// A worker thread that captures states. Contracts of others run here, so it holds no key, and it can be ended at any time.
import { callsOf, LimitExceeded, Unproven } from "@countersign/evm";
import { serveJobs } from "@countersign/platform/pool";
import { makeRpc, NodeFailed } from "../adapters/rpc/index.ts";
import type { FirstRun } from "../second-engine/index.ts";
import { capture, NotCapturable, type Given } from "./capture.ts";
import { firstRunOf } from "./first-run.ts";

export type CaptureJob = Given & {
  readonly url: string;
  readonly timeoutMs: number;
  /** Of the whole capture. */
  readonly deadlineMs: number;
  readonly budgetMs: number;
};

export type CaptureResult =
  | { readonly kind: "captured"; readonly text: string; readonly first: FirstRun; readonly requests: number }
  /** Another node may answer. */
  | { readonly kind: "failed"; readonly why: string }
  /** The node lied: its answers contradict the block. */
  | { readonly kind: "unproven"; readonly why: string }
  /** No node can help. */
  | { readonly kind: "refused"; readonly why: string };

class OverBudget extends Error {
  override readonly name = "OverBudget";
}

/** The rest of the body of `POST /validate` is for the request. */
const maxBytes = 1_800_000;
const politeShare = 0.75;

const cpuMs = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};

/** Reading the clock takes about a microsecond, which is too much for every jump. */
const every = 64;

function makeBudget(budgetMs: number): () => void {
  const until = cpuMs() + budgetMs * politeShare;
  let calls = 0;
  return () => {
    calls += 1;
    if (calls % every === 0 && cpuMs() > until) throw new OverBudget("the simulation takes too long");
  };
}

async function handle({
  url,
  timeoutMs,
  deadlineMs,
  budgetMs,
  ...given
}: CaptureJob): Promise<CaptureResult> {
  const rpc = makeRpc({ url, timeoutMs, signal: AbortSignal.timeout(deadlineMs) });
  try {
    const { witness, simulation } = await capture(given, rpc, makeBudget(budgetMs));
    const { balance = "0x0" } = witness.accounts[witness.call.from] ?? {};
    const price = BigInt(witness.call.maxFeePerGas);
    const cost = callsOf(witness).reduce(
      (sum, { value, gas }) => sum + BigInt(value) + BigInt(gas) * price,
      0n,
    );
    // An account that cannot pay is a result. Any other reason only means that we cannot simulate it.
    if (simulation.kind === "not executable" && BigInt(balance) >= cost)
      return { kind: "refused", why: `it cannot be simulated: ${simulation.reason}` };
    const text = JSON.stringify(witness);
    if (text.length > maxBytes) return { kind: "refused", why: "its state is too large" };
    return { kind: "captured", text, first: firstRunOf({ witness, simulation }), requests: rpc.requests() };
  } catch (error) {
    return explain(error);
  }
}

function explain(error: unknown): CaptureResult {
  if (error instanceof NodeFailed) return { kind: "failed", why: error.message };
  if (error instanceof Unproven) return { kind: "unproven", why: error.message };
  if (error instanceof NotCapturable || error instanceof LimitExceeded || error instanceof OverBudget)
    return { kind: "refused", why: error.message };
  throw error;
}

serveJobs<CaptureJob, CaptureResult, null>({ about: null, handle });
