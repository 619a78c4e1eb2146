// The nodes of one chain behind one transport of the chain library: one node is used until it fails, then the next one.
import {
  createTransport,
  http,
  HttpRequestError,
  LimitExceededRpcError,
  TimeoutError,
  type Transport,
} from "viem";
import { traceTransport } from "../trace/index.ts";
import type { NodeUrls } from "./settings.ts";

type Options = {
  readonly chainId: number;
  readonly urls: NodeUrls;
  /** Timeout of one request to one node. */
  readonly timeoutMs: number;
  /** Limit of one answer. */
  readonly maxAnswerBytes?: number;
};

type Call = { readonly method: string; readonly params?: unknown };
type Signalled = { readonly signal?: AbortSignal | undefined };
type Request = (call: Call, options?: Signalled) => Promise<unknown>;

/** The known state of the nodes of a chain. */
type Ring = {
  readonly chainId: number;
  readonly nodes: readonly Request[];
  /** Nodes that have shown since their last failure that they can be used. */
  readonly verified: Set<Request>;
  /** The node in use, by its position. */
  current: number;
  /** The highest block that a node has shown. */
  highest: bigint;
};

/** The node answers, and cannot be used. */
class Unusable extends Error {}

/** Codes of an exceeded limit: the standard's, HTTP's, and a provider's own. */
const limitCodes: readonly unknown[] = [LimitExceededRpcError.code, 429, -32007];

/** Whether another node may answer. A revert, for example, is an answer. */
function isFaultOfNode(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof HttpRequestError || error instanceof TimeoutError || error instanceof Unusable)
    return true;
  return "code" in error && limitCodes.includes(error.code);
}

/** Returns the height of the chain that an answer shows. Undefined for other answers. */
function heightIn({ method, params }: Call, answer: unknown): bigint | undefined {
  if (method === "eth_blockNumber") return typeof answer === "string" ? BigInt(answer) : undefined;
  const isLatest = method === "eth_getBlockByNumber" && Array.isArray(params) && params[0] === "latest";
  if (!isLatest || typeof answer !== "object" || answer === null || !("number" in answer)) return undefined;
  return typeof answer.number === "string" ? BigInt(answer.number) : undefined;
}

/** Remembers the height, and throws for another chain: another program may have taken over the node's address. */
function check(ring: Ring, call: Call, answer: unknown): void {
  if (call.method === "eth_chainId" && Number(answer) !== ring.chainId)
    throw new Unusable(`the node configured for chain ${ring.chainId} serves chain ${Number(answer)}`);
  const height = heightIn(call, answer);
  if (height !== undefined && height > ring.highest) ring.highest = height;
}

async function verify(ring: Ring, node: Request, options: Signalled | undefined): Promise<void> {
  const [chainId, height] = ["eth_chainId", "eth_blockNumber"].map((method) => ({ method }));
  const answers = await Promise.all([chainId, height].map((call) => node(call as Call, options)));
  check(ring, chainId as Call, answers[0]);
  const shown = heightIn(height as Call, answers[1]);
  if (shown === undefined || shown < ring.highest)
    throw new Unusable(`a node of chain ${ring.chainId} is behind the others`);
  ring.verified.add(node);
}

async function ask(ring: Ring, node: Request, ...[call, options]: Parameters<Request>): Promise<unknown> {
  if (!ring.verified.has(node)) await verify(ring, node, options);
  const answer = await node(call, options);
  check(ring, call, answer);
  return answer;
}

/** Asks one node after the other, beginning with the one in use. */
async function askInTurn(ring: Ring, ...[call, options]: Parameters<Request>): Promise<unknown> {
  let failure: unknown;
  for (const _ of ring.nodes) {
    const node = ring.nodes[ring.current];
    if (node === undefined) break;
    try {
      return await ask(ring, node, call, options);
    } catch (error) {
      const isCutOff = options?.signal?.aborted === true;
      if (!isCutOff && !isFaultOfNode(error)) throw error;
      failure = error;
      ring.verified.delete(node);
      // A concurrent request may have moved on already.
      if (ring.nodes[ring.current] === node) ring.current = (ring.current + 1) % ring.nodes.length;
      if (isCutOff) break;
    }
  }
  throw failure;
}

/**
 * Makes a transport for a chain with one or more nodes. Requests go to one node until it does not answer, exceeds its
 * limit or serves another chain; then to the next one, which is first asked for its chain id and its height. A node
 * that is behind what another one has shown is not used until it has caught up: its view would look like a reorg.
 * Errors of the request itself, such as a revert, are returned. With a single node the caller checks the chain id.
 */
export function nodeTransport({ chainId, urls, timeoutMs, maxAnswerBytes }: Options): Transport {
  const limit = maxAnswerBytes === undefined ? {} : { maxResponseBodySize: maxAnswerBytes };
  return traceTransport(({ chain }) => {
    const nodes = urls.map(
      (url) => http(url, { retryCount: 0, timeout: timeoutMs, ...limit })({ chain }).request as Request,
    );
    const ring: Ring = { chainId, nodes, verified: new Set(), current: 0, highest: 0n };
    const [only, ...others] = nodes;
    const request: Request =
      only !== undefined && others.length === 0 ? only : (call, options) => askInTurn(ring, call, options);
    return createTransport({
      ...{ key: "nodes", name: "nodes of a chain", type: "nodes" },
      ...{ request: request as never, retryCount: 0, timeout: timeoutMs },
    });
  });
}
