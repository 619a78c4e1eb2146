// From a call to its proven state: agree on a block, capture from one node after another until one answers with proofs.
import type { Hardfork } from "@countersign/evm";
import type { Log } from "@countersign/platform/log";
import type { Pool } from "@countersign/platform/pool";
import { NodeFailed, NodesDisagree, type Block, type NodeCall, type Nodes } from "../adapters/rpc/index.ts";
import type { CaptureJob, CaptureResult } from "./capture-worker.ts";
import { stateErrors } from "./errors.ts";

export type Asked = { readonly chainId: number; readonly call: NodeCall };
export type State = {
  /** A witness of packages/evm. */
  readonly state: unknown;
  readonly block: Pick<Block, "number" | "hash">;
  readonly requests: number;
};

export type CaptureParts = {
  readonly nodes: ReadonlyMap<number, Nodes>;
  readonly pool: Pick<Pool<CaptureJob, CaptureResult, null>, "run">;
  readonly limits: Pick<CaptureJob, "timeoutMs" | "deadlineMs" | "budgetMs">;
  /** The rules of a chain's next block. */
  readonly hardforkOf: (chainId: number, block: Block) => Hardfork;
  readonly onLie: () => void;
  readonly log: Log;
};

/** Throws an error of `stateErrors`, or PoolBusy. */
export async function captureState(parts: CaptureParts, { chainId, call }: Asked): Promise<State> {
  const { log, limits } = parts;
  const nodes = parts.nodes.get(chainId);
  if (nodes === undefined) throw stateErrors.unknownChain();
  const { block, urls } = await agree(nodes, log);
  const job = { chainId, hardfork: parts.hardforkOf(chainId, block), block, call, ...limits };
  for (const url of urls) {
    const outcome = await parts.pool.run({ ...job, url }, { budgetMs: limits.budgetMs, isLarge: false });
    if (outcome.kind === "over_budget")
      throw stateErrors.notCapturable({
        message: "The state cannot be captured: the simulation takes too much.",
      });
    const { result } = outcome;
    if (result.kind === "captured") {
      const { number, hash } = block;
      return { state: JSON.parse(result.text), block: { number, hash }, requests: result.requests };
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
