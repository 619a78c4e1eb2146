// The nodes of one chain: which of them answer, which block they agree on, and in which order they are asked.
import type { Clock } from "@countersign/platform/clock";
import { newestGroup } from "@countersign/platform/rpc";
import { readBlocks, readHead, type Block } from "./blocks.ts";
import { makeRpc, NodeFailed } from "./rpc.ts";

/** Nodes of one chain report different blocks at one height. One of them lies, or the chain reorganises. */
export class NodesDisagree extends Error {
  override readonly name = "NodesDisagree";
}

type Agreed = {
  readonly block: Block;
  /** The nodes that have it, healthiest first. */
  readonly urls: readonly string[];
};

export type Nodes = {
  /** Returns a recent block that all answering nodes have. Throws NodeFailed if too few answer, or NodesDisagree. */
  readonly agree: () => Promise<Agreed>;
  /** The node lied or failed: it is asked last for a while. */
  readonly demote: (url: string) => void;
  readonly probe: () => Promise<void>;
};

type Options = {
  readonly urls: readonly string[];
  readonly minNodes: number;
  readonly timeoutMs: number;
  readonly clock: Clock;
};

const restMs = 60_000;

export function makeNodes({ urls, minNodes, timeoutMs, clock }: Options): Nodes {
  const restsUntil = new Map<string, number>();
  const demote = (url: string): void => void restsUntil.set(url, clock.now().getTime() + restMs);
  const isResting = (url: string): boolean => (restsUntil.get(url) ?? 0) > clock.now().getTime();
  const rpcOf = (url: string) => makeRpc({ url, timeoutMs });

  const readHeads = async (): Promise<ReadonlyMap<string, Block>> => {
    const heads = await Promise.allSettled(
      urls.map(async (url) => ({ url, block: await readHead(rpcOf(url)) })),
    );
    const found = new Map<string, Block>();
    heads.forEach((head, index) => {
      if (head.status === "fulfilled") found.set(head.value.url, head.value.block);
      else demote(urls[index] ?? "");
    });
    return found;
  };

  const agree = async (): Promise<Agreed> => {
    const heads = [...(await readHeads())].map(([url, head]) => ({ url, head, number: head.number }));
    const current = newestGroup(heads, minNodes);
    const oldest = current?.at(-1);
    if (current === undefined || oldest === undefined)
      throw new NodeFailed(`${heads.length} of ${urls.length} nodes answer, ${minNodes} must, at one height`);
    for (const head of heads) if (!current.includes(head)) demote(head.url);
    const height = oldest.number;
    const blocks = await Promise.all(
      current.map(async ({ url, head }) =>
        head.number === height ? head : (await readBlocks(rpcOf(url), [height]))[0],
      ),
    );
    const [block] = blocks;
    if (block === undefined || blocks.some((one) => one?.hash !== block.hash))
      throw new NodesDisagree(`nodes disagree on block ${height.toString()}`);
    const order = current
      .map(({ url }) => url)
      .sort((one, other) => Number(isResting(one)) - Number(isResting(other)));
    return { block, urls: order };
  };

  return {
    agree,
    demote,
    probe: async () => {
      await agree();
    },
  };
}
