import { z } from "zod";
import { list } from "../config/index.ts";

/** The nodes of one chain, in the order in which they are tried. Never empty. */
export type NodeUrls = readonly [string, ...string[]];

function groupByChain(pairs: readonly string[]): Readonly<Record<number, NodeUrls>> {
  const nodes: Record<number, NodeUrls> = {};
  for (const pair of pairs) {
    const at = pair.indexOf("=");
    const [chainId, url] = [Number(pair.slice(0, at)), pair.slice(at + 1)];
    const known = nodes[chainId];
    nodes[chainId] = known === undefined ? [url] : [...known, url];
  }
  return nodes;
}

const areWebAddresses = (urls: readonly string[]): urls is NodeUrls =>
  urls.length > 0 && urls.every((url) => /^https?:$/.test(URL.parse(url)?.protocol ?? ""));

/** A setting with the nodes of one chain, separated by commas. */
export const nodeUrls = (): z.ZodType<NodeUrls, string> =>
  list().transform((urls, context) => {
    if (areWebAddresses(urls)) return urls;
    context.addIssue("must be http or https addresses");
    return z.NEVER;
  });

/** A setting with nodes as `<chain id>=<URL>`, separated by commas. A chain may be named several times. */
export const nodePairs = (): z.ZodPipe<
  ReturnType<typeof list>,
  z.ZodTransform<Readonly<Record<number, NodeUrls>>, string[]>
> =>
  list()
    .refine((pairs) => pairs.every((pair) => /^\d+=https?:\/\//.test(pair)), "must each be <chain id>=<URL>")
    .transform(groupByChain);
