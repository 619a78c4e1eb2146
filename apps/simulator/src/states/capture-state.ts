// From calls to their proven state: agree on a block, capture from one node after another until one answers with proofs.
import type { Agreement, Hardfork } from "@countersign/evm";
import type { Log } from "@countersign/platform/log";
import type { Pool } from "@countersign/platform/pool";
import { NodeFailed, NodesDisagree, type Block, type Nodes } from "../adapters/rpc/index.ts";
import type { SecondEngine } from "../second-engine/index.ts";
import type { Given } from "./capture.ts";
import type { CaptureJob, CaptureResult } from "./capture-worker.ts";
import { stateErrors } from "./errors.ts";

export type Asked = {
  readonly chainId: number;
  /** Of one sender, in their order. */
  readonly calls: Given["calls"];
  readonly signer?: Given["signer"];
  /** Names to resolve on the same state, normalised. */
  readonly names: readonly string[];
};
export type State = {
  /** A witness of packages/evm. */
  readonly state: unknown;
  /** Whether a second engine has the same result. */
  readonly agreement: Agreement;
  readonly block: Pick<Block, "number" | "hash">;
  readonly requests: number;
};

export type CaptureParts = {
  readonly nodes: ReadonlyMap<number, Nodes>;
  readonly pool: Pick<Pool<CaptureJob, CaptureResult, null>, "run">;
  readonly secondEngine: Pick<SecondEngine, "check">;
  readonly limits: Pick<CaptureJob, "timeoutMs" | "deadlineMs" | "budgetMs">;
  /** The rules of a chain's next block. */
  readonly hardforkOf: (chainId: number, block: Block) => Hardfork;
  readonly onLie: () => void;
  readonly log: Log;
};

/** Throws an error of `stateErrors`, or PoolBusy. */
export async function captureState(
  parts: CaptureParts,
  { chainId, calls, signer, names }: Asked,
): Promise<State> {
  const { log, limits } = parts;
  const nodes = parts.nodes.get(chainId);
  if (nodes === undefined) throw stateErrors.unknownChain();
  const { block, urls } = await agree(nodes, log);
  const job = { chainId, hardfork: parts.hardforkOf(chainId, block), block, calls, signer, names, ...limits };
  for (const url of urls) {
    const outcome = await parts.pool.run({ ...job, url }, { budgetMs: limits.budgetMs, isLarge: false });
    if (outcome.kind === "over_budget")
      throw stateErrors.notCapturable({
        message: "The state cannot be captured: the simulation takes too much.",
      });
    const { result } = outcome;
    if (result.kind === "captured") {
      const { text, first, requests } = result;
      const { number, hash } = block;
      const agreement = await parts.secondEngine.check(first);
      return { state: JSON.parse(text), agreement, block: { number, hash }, requests };
    }
    if (result.kind === "refused")
      throw stateErrors.notCapturable({ message: `The state cannot be captured: ${result.why}.` });
    if (result.kind === "unproven") parts.onLie();
    log.warn(result.kind === "unproven" ? "node answered against its own block" : "node failed", {
      reason: result.why,
    });
    nodes.demote(url);
  }
  throw stateErrors.unavailable();
}

async function agree(nodes: Nodes, log: Log): ReturnType<Nodes["agree"]> {
  try {
    return await nodes.agree();
  } catch (error) {
    if (error instanceof NodesDisagree) {
      log.warn("nodes disagree", { reason: error.message });
      throw stateErrors.disagreement({ cause: error });
    }
    if (!(error instanceof NodeFailed)) throw error;
    log.warn("too few nodes", { reason: error.message });
    throw stateErrors.unavailable({ cause: error });
  }
}
